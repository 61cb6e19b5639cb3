// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/wsandbox/wsandbox/tools/eventlog"
	"github.com/wsandbox/wsandbox/tools/screen"
)

// exitInterrupt is the status where ^C ended the playing.
const exitInterrupt = 130

// Bounds of what a replay keeps.
const (
	replaySessions = 256       // sessions of an event log that run at once
	replayPoll     = 256 << 10 // bytes of output after which text is taken
)

// replay plays a recording.
type replay struct {
	speed   float64
	idle    time.Duration
	noWait  bool
	asText  bool
	raw     bool
	session uint64

	out      *bufio.Writer
	wait     func(ctx context.Context, d time.Duration) error
	sessions map[uint64]*played
	missing  int64 // bytes, as far as the record tells
	partial  bool  // the record tells that data is missing
	last     time.Duration
	begun    bool
	found    bool // an event of the session to play
}

// played is one terminal or stream of the recording.
type played struct {
	clean screen.Sanitizer
	term  *screen.Terminal // of --text
	fed   int
	open  bool // the text ends within a line
}

// runReplay is "wsandbox replay".
func runReplay(ctx context.Context, args []string, std stdio) int {
	r := replay{wait: waitFor, sessions: map[uint64]*played{}}
	f := flag.NewFlagSet("replay", flag.ContinueOnError)
	f.Float64Var(&r.speed, "speed", 1, "play this many times as fast (`number`)")
	f.DurationVar(&r.idle, "idle", 0, "wait no longer than this `duration` at once (default: as recorded)")
	f.BoolVar(&r.noWait, "no-wait", false, "do not wait at all")
	f.BoolVar(&r.asText, "text", false, "print what was to be read, as text, without playing")
	f.BoolVar(&r.raw, "raw", false, "pass every byte of the recording to the terminal: only for recordings that are trusted")
	f.Uint64Var(&r.session, "session", 0, "play only this session of an event log (`number`)")
	f.Usage = func() {
		fmt.Fprint(f.Output(), "Usage: wsandbox replay [flags] FILE\n\nPlays an event log or an asciicast (version 2 or 3) on the terminal; - reads it from standard\ninput. What could ask or change the terminal beyond its screen is left out.\n\nFlags:\n")
		f.PrintDefaults()
	}
	if done, status := parse(f, args, std); done {
		return status
	}
	switch {
	case f.NArg() > 1 && strings.HasPrefix(f.Arg(1), "-"):
		return fail(std, fmt.Errorf("replay: flags come before FILE: %s stands behind %s", f.Arg(1), f.Arg(0)))
	case f.NArg() != 1:
		return fail(std, errors.New(`replay: want one FILE; "wsandbox replay --help" describes the flags`))
	case !(r.speed > 0) || r.speed > 1e6:
		return fail(std, fmt.Errorf("replay: --speed %v: want a number above 0", r.speed))
	case r.idle < 0:
		return fail(std, fmt.Errorf("replay: --idle %v is negative", r.idle))
	case r.raw && r.asText:
		return fail(std, errors.New("replay: --raw and --text exclude each other"))
	}
	name, in := f.Arg(0), std.in
	if name == "-" {
		name = "standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return fail(std, err)
		}
		defer file.Close()
		in = file
	}
	rec, err := eventlog.NewRecord(in, name)
	if err != nil {
		return fail(std, err)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	r.out = bufio.NewWriterSize(std.out, 64<<10)
	err = errors.Join(r.play(ctx, rec), r.end())
	if err == nil && r.session != 0 && !r.found {
		err = fmt.Errorf("replay: %s: no session %d", name, r.session)
	}
	if rec.Torn() {
		fmt.Fprintf(std.err, "wsandbox: %s: the last line is cut off and was left out\n", name)
	}
	switch {
	case r.missing > 0:
		fmt.Fprintf(std.err, "wsandbox: %s: %d bytes are missing in the recording\n", name, r.missing)
	case r.partial:
		fmt.Fprintf(std.err, "wsandbox: %s: data is missing in the recording\n", name)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupt
	}
	return fail(std, err)
}

// waitFor waits unless the context ends.
func waitFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// play plays all frames.
func (r *replay) play(ctx context.Context, rec *eventlog.Record) error {
	if rec.Format != eventlog.FormatEvents {
		if _, err := r.start(0, rec.Cast.Rows, rec.Cast.Cols, false); err != nil {
			return err
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := rec.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if f.Event != nil {
			err = r.event(ctx, f)
		} else {
			err = r.cast(ctx, f)
		}
		if err != nil {
			return err
		}
	}
}

// pause waits until the time of a frame that shows something.
func (r *replay) pause(ctx context.Context, since time.Duration) error {
	d := since - r.last
	if !r.begun {
		d = 0 // before the first output there is nothing to look at
	}
	r.last, r.begun = since, true
	if r.noWait || r.asText || d <= 0 {
		return nil
	}
	d = time.Duration(float64(d) / r.speed)
	if r.idle > 0 {
		d = min(d, r.idle)
	}
	if d < time.Millisecond {
		return nil
	}
	if err := r.out.Flush(); err != nil {
		return err
	}
	return r.wait(ctx, d)
}

func (r *replay) cast(ctx context.Context, f eventlog.Frame) error {
	p := r.sessions[0]
	switch e := f.Cast; e.Code {
	case "o":
		if err := r.pause(ctx, f.Since); err != nil {
			return err
		}
		return r.output(p, []byte(e.Data))
	case "i":
		return r.text(p)
	case "m":
		if err := r.text(p); err != nil {
			return err
		}
		return r.remark("[mark " + e.Data + "]")
	case "r":
		if p.term != nil {
			p.term.Resize(e.Rows, e.Cols)
		}
	}
	return nil
}

func (r *replay) event(ctx context.Context, f eventlog.Frame) error {
	e := f.Event
	if e.Kind == eventlog.KindTruncated && (r.session == 0 || e.Session == r.session) {
		r.partial = true
		r.missing = max(r.missing, e.Bytes)
	}
	if r.session != 0 && e.Session != r.session {
		return nil
	}
	r.found = true
	switch e.Kind {
	case eventlog.KindStart:
		_, err := r.start(e.Session, e.Rows, e.Cols, !e.TTY)
		return err
	case eventlog.KindOutput:
		p, err := r.start(e.Session, 0, 0, e.Stream != "terminal")
		if err != nil {
			return err
		}
		if err := r.pause(ctx, f.Since); err != nil {
			return err
		}
		return r.output(p, e.Data)
	}
	p := r.sessions[e.Session]
	if p == nil {
		return r.note(e)
	}
	switch e.Kind {
	case eventlog.KindInput:
		return r.text(p)
	case eventlog.KindResize:
		if p.term != nil && e.Rows > 0 && e.Cols > 0 {
			p.term.Resize(e.Rows, e.Cols)
		}
		return nil
	}
	if err := r.text(p); err != nil {
		return err
	}
	if e.Kind == eventlog.KindExit {
		r.finish(p)
		delete(r.sessions, e.Session)
	}
	return r.note(e)
}

// note tells, in text, of events that are not output.
func (r *replay) note(e *eventlog.Event) error {
	var s string
	switch e.Kind {
	case eventlog.KindSpawn:
		s = "runs " + quoted(e.Args)
	case eventlog.KindSignal:
		s = "is sent " + e.Signal
	case eventlog.KindExit:
		s = "ends"
		switch {
		case e.Signal != "":
			s = "killed by " + e.Signal
		case e.Code != nil && *e.Code < 0:
			s = fmt.Sprintf("killed by signal %d", -int64(*e.Code))
		case e.Code != nil:
			s = fmt.Sprintf("ends with status %d", *e.Code)
		}
		if e.Limit != "" {
			s += ", limit " + e.Limit
		}
	case eventlog.KindLimit:
		s = strings.TrimSpace("meets limit " + e.Limit + " " + e.Reason)
	case eventlog.KindDenial:
		s = strings.TrimSpace("is denied " + e.Subject + " " + e.Reason)
	case eventlog.KindDecision:
		s = "is refused "
		if e.Allowed != nil && *e.Allowed {
			s = "is allowed "
		}
		s = strings.TrimSpace(s + e.Subject + " " + e.Reason)
	case eventlog.KindTruncated:
		s = fmt.Sprintf("%d bytes missing: %s", e.Bytes, e.Reason)
	default:
		return nil
	}
	return r.remark(fmt.Sprintf("[session %d %s]", e.Session, s))
}

// quoted returns the arguments as a shell would take them.
func quoted(args []string) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		plain := a != "" && !strings.ContainsFunc(a, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-+=./:,@%", c))
		})
		if plain {
			b.WriteString(a)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(a, "'", `'\''`) + "'")
	}
	return b.String()
}

// remark prints, in text, a line of its own.
func (r *replay) remark(s string) error {
	if !r.asText {
		return nil
	}
	for _, p := range r.sessions {
		r.endLine(p)
	}
	s = screen.Visible(strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(s), screen.ControlsEscape)
	_, err := r.out.WriteString(s + "\n")
	return err
}

// start returns the state of a session, making it if needed.
func (r *replay) start(session uint64, rows, cols int, pipe bool) (*played, error) {
	if p := r.sessions[session]; p != nil {
		return p, nil
	}
	if len(r.sessions) >= replaySessions {
		return nil, fmt.Errorf("replay: more than %d sessions at once: choose one with --session", replaySessions)
	}
	p := &played{}
	if r.asText {
		p.term = screen.New(screen.Options{Rows: rows, Cols: cols, Newline: pipe})
	}
	r.sessions[session] = p
	return p, nil
}

func (r *replay) output(p *played, b []byte) error {
	switch {
	case p.term != nil:
		_, _ = p.term.Write(b)
		_ = p.term.Replies()
		if p.fed += len(b); p.fed >= replayPoll {
			return r.text(p)
		}
		return nil
	case r.raw:
		_, err := r.out.Write(b)
		return err
	}
	_, err := r.out.Write(p.clean.Sanitize(r.out.AvailableBuffer(), b))
	return err
}

// text prints what is new of the text of a session.
func (r *replay) text(p *played) error {
	if p.term == nil {
		return nil
	}
	p.fed = 0
	s := p.term.Poll().String()
	if s == "" {
		return nil
	}
	for _, other := range r.sessions {
		if other != p {
			r.endLine(other)
		}
	}
	p.open = !strings.HasSuffix(s, "\n")
	_, err := r.out.WriteString(s)
	return err
}

// endLine ends the line that the text of a session is in.
func (r *replay) endLine(p *played) {
	if p.open {
		_ = r.out.WriteByte('\n')
		p.open = false
	}
}

// finish puts the terminal back after a session.
func (r *replay) finish(p *played) {
	if p.term == nil && !r.raw && r.begun {
		_, _ = r.out.Write(p.clean.End(r.out.AvailableBuffer()))
	}
}

// end prints what is left and puts the terminal back.
func (r *replay) end() error {
	for _, n := range slices.Sorted(maps.Keys(r.sessions)) {
		p := r.sessions[n]
		if err := r.text(p); err != nil {
			return err
		}
		r.endLine(p)
		r.finish(p)
	}
	return r.out.Flush()
}
