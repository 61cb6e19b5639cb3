// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import "golang.org/x/sys/windows"

// onWine tells Wine from Windows: parts of the former are missing.
var onWine = windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
