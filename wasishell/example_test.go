// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// A script with its own workspace in memory.
func Example() {
	ctx := context.Background()
	sb, err := wasishell.New(ctx, wasishell.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sb.Close()
	out, err := sb.Shell(`for w in pear apple fig; do echo "$w"; done | sort`).Output(ctx)
	fmt.Printf("%s%v\n", out, err)
	// Output:
	// apple
	// fig
	// pear
	// <nil>
}

// One program, with standard input, outputs and the status as an error.
func ExampleSandbox_Command() {
	ctx := context.Background()
	sb, err := wasishell.New(ctx, wasishell.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sb.Close()
	cmd := sb.Command("grep", "-n", "b")
	cmd.Stdin = strings.NewReader("a\nb\nabc\n")
	cmd.Stdout = os.Stdout
	if err := cmd.Run(ctx); err != nil {
		fmt.Println(err)
	}
	err = sb.Command("grep", "z", "/etc/hostname").Run(ctx)
	var exit *wasishell.ExitError
	if errors.As(err, &exit) {
		fmt.Println("status", exit.ExitCode())
	}
	// Output:
	// 2:b
	// 3:abc
	// status 1
}

// A running command: its standard input stays open, and a timeout ends it.
func ExampleCmd_Start() {
	ctx := context.Background()
	sb, err := wasishell.New(ctx, wasishell.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sb.Close()
	cmd := sb.Shell(`while read -r line; do echo "got $line"; done; echo end`)
	cmd.OpenStdin = true
	cmd.Stdout = os.Stdout
	cmd.Timeout = time.Minute
	sess, err := cmd.Start(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprintln(sess, "one")
	fmt.Fprintln(sess, "two")
	if err := sess.CloseStdin(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(sess.Wait())
	// Output:
	// got one
	// got two
	// end
	// <nil>
}

// A shell on a terminal: what is typed is echoed, and ^C interrupts.
func ExampleCmd_terminal() {
	ctx := context.Background()
	sb, err := wasishell.New(ctx, wasishell.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sb.Close()
	cmd := sb.Shell(`trap 'echo interrupted; exit 5' INT; stty size; read -r line; echo "got $line"; while :; do sleep 0.01; done`)
	cmd.TTY = &wasishell.Winsize{Rows: 40, Cols: 120}
	out, w := io.Pipe()
	cmd.Stdout = w
	sess, err := cmd.Start(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		err := sess.Wait()
		w.CloseWithError(err)
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		fmt.Println(lines.Text())
		switch lines.Text() {
		case "40 120":
			fmt.Fprint(sess, "hello\n")
		case "got hello":
			fmt.Fprint(sess, "\x03")
		}
	}
	fmt.Println(lines.Err())
	// Output:
	// 40 120
	// hello
	// got hello
	// ^Cinterrupted
	// exit status 5
}
