// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Adds up the numbers that it is given, a line each.
use std::io::{self, BufRead, Write};

fn main() {
    let mut sum = 0;
    print!("> ");
    io::stdout().flush().unwrap();
    for line in io::stdin().lock().lines() {
        match line.unwrap().parse::<i32>() {
            Ok(n) => {
                sum += n;
                println!("sum {}", sum);
            }
            Err(_) => println!("no number"),
        }
        print!("> ");
        io::stdout().flush().unwrap();
    }
    println!("end");
    std::process::exit(sum % 128);
}
