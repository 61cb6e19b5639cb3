// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package filetype

import (
	"encoding/binary"
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/datetime"
)

// rule is a format that begins with fixed bytes.
type rule struct {
	at         int
	magic      string
	text, mime string
	more       func(b []byte) string // what else there is to say
}

var rules = [...]rule{
	{0, "\x89PNG\r\n\x1a\n", "PNG image data", "image/png", png},
	{0, "GIF8", "GIF image data", "image/gif", gif},
	{0, "\xff\xd8\xff", "JPEG image data", "image/jpeg", jpeg},
	{0, "\x1f\x8b", "gzip compressed data", "application/gzip", gzip},
	{0, "BZh", "bzip2 compressed data", "application/x-bzip2", bzip2},
	{0, "\xfd7zXZ\x00", "XZ compressed data", "application/x-xz", xz},
	{0, "\x28\xb5\x2f\xfd", "Zstandard compressed data (v0.8+)", "application/zstd", nil},
	{0, "PK\x03\x04", "Zip archive data", "application/zip", zip},
	{0, "PK\x05\x06", "Zip archive data (empty)", "application/zip", nil},
	{0, "7z\xbc\xaf\x27\x1c", "7-zip archive data", "application/x-7z-compressed", nil},
	{257, "ustar  \x00", "POSIX tar archive (GNU)", "application/x-tar", nil},
	{257, "ustar\x00", "POSIX tar archive", "application/x-tar", nil},
	{0, "\x7fELF", "ELF", "application/x-executable", elf},
	{0, "\x00asm", "WebAssembly (wasm) binary module", "application/wasm", wasm},
	{0, "%PDF-", "PDF document", "application/pdf", pdf},
	{0, "SQLite format 3\x00", "SQLite 3.x database", "application/vnd.sqlite3", nil},
	{0, "!<arch>\n", "current ar archive", "application/x-archive", nil},
	{0, "\xca\xfe\xba\xbe", "compiled Java class data", "application/x-java-applet", nil},
	{0, "MZ", "MS-DOS executable", "application/x-dosexec", nil},
	{0, "\xcf\xfa\xed\xfe", "Mach-O 64-bit executable", "application/x-mach-binary", nil},
	{0, "OggS", "Ogg data", "application/ogg", nil},
	{0, "fLaC", "FLAC audio bitstream data", "audio/flac", nil},
	{0, "ID3", "Audio file with ID3", "audio/mpeg", nil},
	{0, "BM", "PC bitmap", "image/bmp", nil},
	{0, "II*\x00", "TIFF image data, little-endian", "image/tiff", nil},
	{0, "MM\x00*", "TIFF image data, big-endian", "image/tiff", nil},
	{4, "ftyp", "ISO Media", "video/mp4", nil},
	{0, "\x1aE\xdf\xa3", "EBML file", "video/x-matroska", nil},
	{0, "wOF2", "Web Open Font Format (Version 2)", "font/woff2", nil},
	{0, "wOFF", "Web Open Font Format", "font/woff", nil},
}

// magic looks for a known beginning.
func magic(b []byte) (kind, bool) {
	for i := range rules {
		r := &rules[i]
		if end := r.at + len(r.magic); end > len(b) || string(b[r.at:end]) != r.magic {
			continue
		}
		if r.magic == "BM" && (len(b) < 26 || b[6] != 0 || b[7] != 0 || b[15] != 0) {
			continue // two letters are little
		}
		if r.magic == "MZ" && len(b) < 64 {
			continue
		}
		k := kind{r.text, r.mime, "binary"}
		if r.more != nil {
			k.text += r.more(b)
		}
		return k, true
	}
	if len(b) >= 12 && string(b[:4]) == "RIFF" {
		switch string(b[8:12]) {
		case "WAVE":
			return kind{"RIFF (little-endian) data, WAVE audio", "audio/x-wav", "binary"}, true
		case "WEBP":
			return kind{"RIFF (little-endian) data, Web/P image", "image/webp", "binary"}, true
		}
		return kind{"RIFF (little-endian) data", "application/octet-stream", "binary"}, true
	}
	return kind{}, false
}

func be32(b []byte, at int) string {
	return strconv.FormatUint(uint64(binary.BigEndian.Uint32(b[at:])), 10)
}

func png(b []byte) string {
	if len(b) < 29 {
		return ""
	}
	colors := map[byte]string{0: " grayscale", 2: "/color RGB", 3: " colormap", 4: " gray+alpha", 6: "/color RGBA"}[b[25]]
	s := ", " + be32(b, 16) + " x " + be32(b, 20) + ", " + strconv.Itoa(int(b[24])) + "-bit" + colors
	if b[28] == 1 {
		return s + ", interlaced"
	}
	return s + ", non-interlaced"
}

func gif(b []byte) string {
	if len(b) < 10 {
		return ""
	}
	n := func(i int) string { return strconv.Itoa(int(binary.LittleEndian.Uint16(b[i:]))) }
	return ", version 8" + string(b[4:6]) + ", " + n(6) + " x " + n(8)
}

func jpeg(b []byte) string {
	if len(b) >= 13 && string(b[6:11]) == "JFIF\x00" {
		minor := strconv.Itoa(int(b[12]))
		if len(minor) < 2 {
			minor = "0" + minor
		}
		return ", JFIF standard " + strconv.Itoa(int(b[11])) + "." + minor
	}
	return ""
}

func gzip(b []byte) string {
	s := ""
	if len(b) < 10 {
		return s
	}
	if b[3]&8 != 0 && b[3]&4 == 0 {
		for i := 10; i < len(b); i++ {
			if b[i] == 0 {
				s += ", was \"" + string(b[10:i]) + "\""
				break
			}
		}
	}
	if t := int64(binary.LittleEndian.Uint32(b[4:])); t != 0 {
		c := datetime.In(t, datetime.Fixed("UTC", 0))
		s += ", last modified: " + string(datetime.AppendFormat(nil, "%a %b %e %H:%M:%S %Y", &c, t, 0))
	}
	switch b[8] {
	case 2:
		s += ", max compression"
	case 4:
		s += ", max speed"
	}
	if b[9] == 3 {
		s += ", from Unix"
	}
	return s
}

func bzip2(b []byte) string {
	if len(b) > 3 && b[3] >= '1' && b[3] <= '9' {
		return ", block size = " + string(b[3:4]) + "00k"
	}
	return ""
}

func xz(b []byte) string {
	if len(b) < 8 {
		return ""
	}
	return ", checksum" + map[byte]string{0: " NONE", 1: " CRC32", 4: " CRC64", 10: " SHA-256"}[b[7]]
}

func zip(b []byte) string {
	if len(b) < 10 {
		return ""
	}
	s := ", at least v" + strconv.Itoa(int(b[4]/10)) + "." + strconv.Itoa(int(b[4]%10)) + " to extract"
	switch binary.LittleEndian.Uint16(b[8:]) {
	case 0:
		s += ", compression method=store"
	case 8:
		s += ", compression method=deflate"
	}
	return s
}

func pdf(b []byte) string {
	i := 5
	for i < len(b) && i < 12 && (b[i] >= '0' && b[i] <= '9' || b[i] == '.') {
		i++
	}
	return ", version " + string(b[5:i])
}

func wasm(b []byte) string {
	if len(b) < 8 {
		return ""
	}
	v := binary.LittleEndian.Uint32(b[4:])
	s := " version 0x" + strconv.FormatUint(uint64(v), 16)
	if v == 1 {
		s += " (MVP)"
	}
	return s
}

// elf reads the head and the program heads, which must be in b.
func elf(b []byte) string {
	if len(b) < 52 {
		return ""
	}
	var order binary.ByteOrder = binary.LittleEndian
	s, wide := " 32-bit", false
	if b[4] == 2 {
		s, wide = " 64-bit", true
	}
	if b[5] == 2 {
		order = binary.BigEndian
		s += " MSB"
	} else {
		s += " LSB"
	}
	kind := order.Uint16(b[16:])
	machine := map[uint16]string{3: "Intel 80386", 8: "MIPS", 20: "PowerPC or cisco 4500", 21: "64-bit PowerPC or cisco 7500", 22: "IBM S/390", 40: "ARM", 62: "x86-64", 183: "ARM aarch64", 243: "UCB RISC-V"}[order.Uint16(b[18:])]
	off, size, n := uint64(order.Uint32(b[28:])), 32, int(order.Uint16(b[44:]))
	if wide {
		if len(b) < 64 {
			return s
		}
		off, size, n = order.Uint64(b[32:]), 56, int(order.Uint16(b[56:]))
	}
	interpreter, dynamic := "", false
	for i := range n {
		at := off + uint64(i*size)
		if off > uint64(len(b)) || at+uint64(size) > uint64(len(b)) {
			break
		}
		h := b[at:]
		from, length := uint64(order.Uint32(h[4:])), uint64(order.Uint32(h[16:]))
		if wide {
			from, length = order.Uint64(h[8:]), order.Uint64(h[32:])
		}
		switch order.Uint32(h) {
		case 2:
			dynamic = true
		case 3:
			if length > 1 && length < 4096 && from < uint64(len(b)) && from+length <= uint64(len(b)) {
				interpreter = string(b[from : from+length-1])
			}
		}
	}
	switch kind {
	case 1:
		s += " relocatable"
	case 2:
		s += " executable"
	case 3:
		if interpreter != "" {
			s += " pie executable"
		} else {
			s += " shared object"
		}
	case 4:
		s += " core file"
	}
	if machine != "" {
		s += ", " + machine
	}
	s += ", version " + strconv.Itoa(int(b[6]))
	switch b[7] {
	case 0:
		s += " (SYSV)"
	case 3:
		s += " (GNU/Linux)"
	}
	switch {
	case dynamic:
		s += ", dynamically linked"
	case kind == 2:
		s += ", statically linked"
	}
	if interpreter != "" {
		s += ", interpreter " + interpreter
	}
	return s
}
