// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package fileops has the commands that make, change, move, copy and remove
// files: chgrp, chmod, chown, cp, dd, install, link, ln, mkdir, mkfifo, mktemp,
// mv, rm, rmdir, touch, truncate, unlink.
package fileops
