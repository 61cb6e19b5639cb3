// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0
//
// bcryptprimitives.dll for Wine 8, which has none: every Go program asks it for
// random numbers. ProcessPrng hands on to the generator of advapi32.

#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n)
{
	while (n > 0) {
		ULONG k = n > 0x10000000 ? 0x10000000 : (ULONG)n;

		if (!SystemFunction036(p, k))
			return FALSE;
		p += k;
		n -= k;
	}
	return TRUE;
}

BOOL WINAPI DllMain(HINSTANCE dll, DWORD reason, LPVOID reserved)
{
	return TRUE;
}
