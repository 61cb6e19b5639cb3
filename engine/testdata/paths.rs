// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Prints each file named, or that it is not there.
fn main() {
    for name in std::env::args().skip(1) {
        match std::fs::read_to_string(&name) {
            Ok(text) => println!("{}: {}", name, text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => println!("{}: No such file or directory", name),
            Err(e) => println!("{}: {}", name, e),
        }
    }
}
