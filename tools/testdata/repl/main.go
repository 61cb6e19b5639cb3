// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command repl adds up the numbers that it is given, a line each.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	sum := 0
	fmt.Print("> ")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		n, err := strconv.Atoi(in.Text())
		if err != nil {
			fmt.Println("no number")
		} else {
			sum += n
			fmt.Println("sum", sum)
		}
		fmt.Print("> ")
	}
	fmt.Println("end")
	os.Exit(sum % 128)
}
