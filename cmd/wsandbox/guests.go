// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// runGuests is "wsandbox guests".
func runGuests(ctx context.Context, args []string, std stdio) int {
	var o options
	f := flag.NewFlagSet("guests", flag.ContinueOnError)
	f.StringVar(&o.cacheDir, "cache-dir", "", "`directory` for compiled programs (default: wsandbox in the user's cache directory)")
	f.Usage = func() {
		fmt.Fprint(f.Output(), "Usage: wsandbox guests [flags] list\n       wsandbox guests [flags] warm [NAME...]\n\nFlags:\n")
		f.PrintDefaults()
	}
	if done, status := parse(f, args, std); done {
		return status
	}
	verb := "list"
	if f.NArg() > 0 {
		verb = f.Arg(0)
	}
	switch verb {
	case "list":
		return listGuests(std)
	case "warm":
		return warmGuests(ctx, &o, f.Args()[1:], std)
	}
	return fail(std, fmt.Errorf("guests: unknown verb %q: want list or warm", verb))
}

func listGuests(std stdio) int {
	all, err := wasishell.Guests()
	if err != nil {
		return fail(std, err)
	}
	w := tabwriter.NewWriter(std.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tBYTES\tBUILT BY\tSHA-256\tCOMMANDS")
	for _, g := range all {
		fmt.Fprintf(w, "%s\t%d\t%s\t%.12s\t%s\n", g.Name, g.Size, g.Version, g.SHA256, strings.Join(g.Applets, " "))
	}
	if err := w.Flush(); err != nil {
		return fail(std, err)
	}
	return 0
}

func warmGuests(ctx context.Context, o *options, names []string, std stdio) int {
	rt, err := newRuntime(ctx, o, std)
	if err != nil {
		return failJSON(o, std, err)
	}
	defer rt.Close()
	if len(names) == 0 {
		all, err := wasishell.Guests()
		if err != nil {
			return fail(std, err)
		}
		for _, g := range all {
			names = append(names, g.Name)
		}
	}
	var failed error
	for _, name := range names {
		begin := time.Now()
		if err := rt.Warm(ctx, name); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		fmt.Fprintf(std.out, "%s: ready (%v)\n", name, time.Since(begin).Round(time.Millisecond))
	}
	if failed != nil {
		return fail(std, failed)
	}
	return 0
}
