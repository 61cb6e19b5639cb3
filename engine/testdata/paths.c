// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Prints the first line of each file named, or why it cannot.
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		char line[200] = "";
		FILE *f = fopen(argv[i], "r");
		if (!f) {
			printf("%s: %s\n", argv[i], strerror(errno));
			continue;
		}
		if (!fgets(line, sizeof line, f))
			strcpy(line, "?");
		printf("%s: %s\n", argv[i], line);
		fclose(f);
	}
	return 0;
}
