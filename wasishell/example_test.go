// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"context"
	"errors"
	"fmt"
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
