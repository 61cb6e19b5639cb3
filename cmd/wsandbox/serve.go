// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/wsandbox/wsandbox/tools/mcpserver"
)

// serveOptions are the flags of serve alone.
type serveOptions struct {
	addr        string
	token       string
	tokenFile   string
	allowRemote bool
	hosts       []string
	origins     []string
	sessions    int
	idle        time.Duration
}

// runServe is "wsandbox serve".
func runServe(ctx context.Context, args []string, std stdio) int {
	var o agentOptions
	var so serveOptions
	f := newAgentFlags("serve", "serve [flags]\n\nServes the Model Context Protocol over HTTP, with a sandbox for each client session.", &o)
	f.StringVar(&so.addr, "addr", "127.0.0.1:0", "`address` to listen on: HOST:PORT, or a port of the loopback interface; 0 picks one")
	f.StringVar(&so.token, "token", "", "`token` that clients must bring; other users of this machine can read it in the list of processes")
	f.StringVar(&so.tokenFile, "token-file", "", "`file` with the token; where it does not exist, it is made with a random one")
	f.BoolVar(&so.allowRemote, "allow-remote", false, "listen on an address that other machines may reach; needs a token. The connection is not encrypted")
	f.Var((*listFlag)(&so.hosts), "allow-host", "further `name` that clients call this server by (may be repeated)")
	f.Var((*listFlag)(&so.origins), "allow-origin", "web `origin`, such as http://localhost:6274, whose pages may use this server (may be repeated)")
	f.IntVar(&so.sessions, "sessions", 64, "client sessions at once (`number`)")
	f.DurationVar(&so.idle, "idle-timeout", 30*time.Minute, "end a session whose client has been gone for this `duration`")
	if done, status := parse(f, args, std); done {
		return status
	}
	if f.NArg() > 0 {
		return fail(std, fmt.Errorf("serve takes no arguments, got %q", f.Args()))
	}
	addr, err := so.address()
	if err != nil {
		return fail(std, err)
	}
	if so.sessions < 1 || so.idle <= 0 {
		return fail(std, errors.New("--sessions and --idle-timeout must be positive"))
	}
	token, err := so.readToken()
	if err != nil {
		return fail(std, err)
	}
	configure := func(c *mcpserver.Config) { c.MaxSessions, c.IdleTimeout = so.sessions, so.idle }
	return withServer(ctx, &o, std, configure, func(ctx context.Context, s *mcpserver.Server) error {
		var lc net.ListenConfig
		ln, err := lc.Listen(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		hosts, shown := names(ln.Addr().(*net.TCPAddr))
		opt := mcpserver.HTTPOptions{Token: token, Hosts: append(hosts, so.hosts...), Origins: so.origins}
		if _, err := s.Handler(opt); err != nil { // before anything is promised
			return errors.Join(err, ln.Close())
		}
		fmt.Fprintf(std.err, "wsandbox: serving on http://%s%s\n", shown, mcpserver.Endpoint)
		switch {
		case so.tokenFile != "":
			fmt.Fprintf(std.err, "wsandbox: token in %s\n", so.tokenFile)
		case so.token == "":
			fmt.Fprintf(std.err, "wsandbox: token %s\n", token)
		}
		return s.Serve(ctx, ln, opt)
	})
}

// address returns the address to listen on, as package net takes it.
func (o *serveOptions) address() (string, error) {
	addr := o.addr
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		if !isPort(addr) {
			return "", fmt.Errorf("--addr %q: want HOST:PORT or a port", addr)
		}
		host, port = "127.0.0.1", addr
	}
	if !isPort(port) {
		return "", fmt.Errorf("--addr %q: want a number for the port", addr)
	}
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	if host == "localhost" {
		host = "127.0.0.1" // whatever a resolver says
	}
	switch {
	case loopback:
	case !o.allowRemote:
		return "", fmt.Errorf("--addr %q: other machines may reach this address: --allow-remote lets them", addr)
	case o.token == "" && o.tokenFile == "":
		return "", errors.New("--allow-remote needs --token or --token-file")
	}
	return net.JoinHostPort(host, port), nil
}

// names returns the addresses by which clients may call a server that listens on
// a, and one with the port for people to read.
func names(a *net.TCPAddr) (hosts []string, shown string) {
	if !a.IP.IsUnspecified() {
		return []string{a.IP.String()}, a.String()
	}
	if all, err := net.InterfaceAddrs(); err == nil { // otherwise there is --allow-host
		for _, n := range all {
			if ip, ok := n.(*net.IPNet); ok {
				hosts = append(hosts, ip.IP.String())
			}
		}
	}
	return hosts, net.JoinHostPort("127.0.0.1", strconv.Itoa(a.Port))
}

func isPort(s string) bool {
	n := 0
	for _, d := range s {
		if d < '0' || d > '9' || n > 65535 {
			return false
		}
		n = n*10 + int(d-'0')
	}
	return s != "" && n <= 65535
}
