// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// streams are the two ends of a command's input and output.
type streams struct {
	child   [3]*os.File // what the command gets as 0, 1 and 2; nil on a console
	shut    []*os.File  // those of child that close after the start
	outputs []*pump
	writer  io.WriteCloser // for Process.Write
	feed    io.WriteCloser // for Cmd.Stdin
	console *console       // the terminal, nil on pipes
}

func openStreams(c *Cmd) (_ *streams, err error) {
	s := &streams{}
	defer func() {
		if err != nil {
			s.closeChild()
			s.closeParent()
		}
	}()
	if c.Winsize != nil {
		return s, s.openTerminal(c)
	}
	if err := s.input(c); err != nil {
		return s, err
	}
	if s.child[1], err = s.output(c.Stdout); err != nil {
		return s, err
	}
	if sameWriter(c.Stdout, c.Stderr) {
		s.child[2] = s.child[1]
		return s, nil
	}
	s.child[2], err = s.output(c.Stderr)
	return s, err
}

func (s *streams) input(c *Cmd) error {
	if f, ok := c.Stdin.(*os.File); ok && f != nil {
		s.child[0] = f
		return nil
	}
	if c.Stdin == nil && !c.OpenStdin {
		return s.null(0, os.O_RDONLY)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("hostexec: %w", err)
	}
	s.child[0], s.shut = r, append(s.shut, r)
	if c.OpenStdin {
		s.writer = w
	} else {
		s.feed = w
	}
	return nil
}

func (s *streams) null(fd, flag int) error {
	f, err := os.OpenFile(os.DevNull, flag, 0)
	if err != nil {
		return fmt.Errorf("hostexec: %w", err)
	}
	s.child[fd], s.shut = f, append(s.shut, f)
	return nil
}

func (s *streams) output(w io.Writer) (*os.File, error) {
	if f, ok := w.(*os.File); ok && f != nil {
		return f, nil
	}
	if w == nil {
		f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("hostexec: %w", err)
		}
		s.shut = append(s.shut, f)
		return f, nil
	}
	r, child, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("hostexec: %w", err)
	}
	s.shut = append(s.shut, child)
	s.outputs = append(s.outputs, &pump{from: r, to: w})
	return child, nil
}

func (s *streams) openTerminal(c *Cmd) error {
	t, in, out, err := openConsole(*c.Winsize)
	if err != nil {
		return err
	}
	s.console = t
	if tty := t.tty(); tty != nil {
		s.child = [3]*os.File{tty, tty, tty}
		s.shut = append(s.shut, tty)
	}
	to := c.Stdout
	if to == nil {
		to = io.Discard
	}
	s.outputs = []*pump{{from: out, to: to, ahead: true}}
	s.writer = in
	if c.Stdin != nil {
		s.feed = in
	}
	return nil
}

func (s *streams) closeChild() {
	for _, f := range s.shut {
		_ = f.Close()
	}
	s.shut = nil
}

// closeParent undoes what a start that failed has left.
func (s *streams) closeParent() {
	for _, o := range s.outputs {
		_ = o.from.Close()
	}
	for _, w := range []io.WriteCloser{s.writer, s.feed} {
		if w != nil {
			_ = w.Close()
		}
	}
	if s.console != nil {
		s.console.close()
	}
}

// pathError gives a failed start the program's name once.
func pathError(path string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("hostexec: %s: %w", path, err)
}
