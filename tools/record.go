// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"io"
	"sync"

	"github.com/wsandbox/wsandbox/tools/eventlog"
)

// RecorderOptions configure a [Recorder].
type RecorderOptions struct {
	// Log takes the events of all sessions, each with its Serial. Nil is none.
	Log *eventlog.Log
	// OpenCast is called for each session with a terminal and returns the
	// asciicast that takes it, or nil; the recorder closes it when the command
	// has ended. A nil function is none.
	OpenCast func(SessionInfo) (*eventlog.Cast, error)
	// Failed, where not nil, is told what could not be recorded, once for each
	// session. The sessions go on.
	Failed func(serial uint64, err error)
}

// Recorder is an [Observer] that writes an event log and asciicasts. Input is
// recorded as it was sent: eventlog.Options.Mask masks what must not be.
type Recorder struct {
	opt RecorderOptions

	mu       sync.Mutex
	sessions map[uint64]*recording
}

// recording is one session. Its calls come one at a time.
type recording struct {
	in, out io.WriteCloser // into the log, nil if there is none
	cast    *eventlog.Cast
	failed  bool
}

// NewRecorder returns a recorder.
func NewRecorder(o RecorderOptions) *Recorder {
	return &Recorder{opt: o, sessions: map[uint64]*recording{}}
}

func (r *Recorder) get(serial uint64) *recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions[serial]
}

func (r *Recorder) fail(serial uint64, rec *recording, err error) {
	if err == nil || rec.failed {
		return
	}
	rec.failed = true
	if r.opt.Failed != nil {
		r.opt.Failed(serial, err)
	}
}

func (r *Recorder) append(rec *recording, e eventlog.Event) {
	if r.opt.Log != nil {
		r.fail(e.Session, rec, r.opt.Log.Append(e))
	}
}

// Started implements [Observer].
func (r *Recorder) Started(info SessionInfo) {
	rec := &recording{}
	r.mu.Lock()
	r.sessions[info.Serial] = rec
	r.mu.Unlock()

	size := info.Size
	if !info.TTY {
		size = Winsize{}
	}
	r.append(rec, eventlog.Event{Session: info.Serial, Kind: eventlog.KindStart, TTY: info.TTY, Rows: int(size.Rows), Cols: int(size.Cols), User: info.User, Dir: info.Dir})
	r.append(rec, eventlog.Event{Session: info.Serial, Kind: eventlog.KindSpawn, Args: info.Args, User: info.User, Dir: info.Dir})
	if l := r.opt.Log; l != nil {
		stream := "stdout" // and standard error, in the order of arrival
		if info.TTY {
			stream = "terminal"
		}
		rec.out = l.Stream(info.Serial, eventlog.KindOutput, stream)
		rec.in = l.Stream(info.Serial, eventlog.KindInput, "")
	}
	if info.TTY && r.opt.OpenCast != nil {
		cast, err := r.opt.OpenCast(info)
		r.fail(info.Serial, rec, err)
		if err == nil {
			rec.cast = cast
		}
	}
}

// Input implements [Observer].
func (r *Recorder) Input(serial uint64, p []byte) {
	rec := r.get(serial)
	if rec == nil {
		return
	}
	if rec.in != nil {
		_, err := rec.in.Write(p)
		r.fail(serial, rec, err)
	}
	if rec.cast != nil {
		r.fail(serial, rec, rec.cast.Input(p))
	}
}

// Output implements [Observer].
func (r *Recorder) Output(serial uint64, p []byte) {
	rec := r.get(serial)
	if rec == nil {
		return
	}
	if rec.out != nil {
		_, err := rec.out.Write(p)
		r.fail(serial, rec, err)
	}
	if rec.cast != nil {
		r.fail(serial, rec, rec.cast.Output(p))
	}
}

// Resized implements [Observer].
func (r *Recorder) Resized(serial uint64, size Winsize) {
	rec := r.get(serial)
	if rec == nil {
		return
	}
	r.append(rec, eventlog.Event{Session: serial, Kind: eventlog.KindResize, Rows: int(size.Rows), Cols: int(size.Cols)})
	if rec.cast != nil {
		r.fail(serial, rec, rec.cast.Resize(int(size.Rows), int(size.Cols)))
	}
}

// Exited implements [Observer].
func (r *Recorder) Exited(serial uint64, e Exit) {
	r.mu.Lock()
	rec := r.sessions[serial]
	delete(r.sessions, serial)
	r.mu.Unlock()
	if rec == nil {
		return
	}
	for _, w := range []io.WriteCloser{rec.in, rec.out} {
		if w != nil {
			r.fail(serial, rec, w.Close())
		}
	}
	r.append(rec, eventlog.Event{Session: serial, Kind: eventlog.KindExit, Code: &e.Code, Limit: e.Limit})
	if rec.cast != nil {
		r.fail(serial, rec, rec.cast.Close())
	}
}
