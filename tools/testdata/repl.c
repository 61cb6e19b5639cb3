// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Adds up the numbers that it is given, a line each.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
	char line[100];
	int sum = 0;
	printf("> ");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		char *end;
		long n = strtol(line, &end, 10);
		if (end == line || *end != '\n') {
			printf("no number\n");
		} else {
			sum += n;
			printf("sum %d\n", sum);
		}
		printf("> ");
		fflush(stdout);
	}
	printf("end\n");
	return sum % 128;
}
