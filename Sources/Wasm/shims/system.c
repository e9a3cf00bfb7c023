// What the engine's file needs of a system: memory and mathematics come from wasi-libc, and these.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__attribute__((import_module("engine"), import_name("random"))) void engine_random(void *place, size_t count);
__attribute__((import_module("engine"), import_name("trace"))) void engine_trace(const char *text, size_t count);

void arc4random_buf(void *place, size_t count) { engine_random(place, count); }

/// The standard library prints the reason of a fault, a byte at a time.
static char line[1024];
static size_t filled;

int putchar(int byte) {
    if (byte != '\n' && filled < sizeof line) line[filled++] = (char)byte;
    if (byte == '\n' || filled == sizeof line) {
        engine_trace(line, filled);
        filled = 0;
    }
    return byte;
}

const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
    char *end;
    *result = strtod(text, &end);
    return end;
}

uintptr_t __stack_chk_guard = 0;
void __stack_chk_fail(void) { __builtin_trap(); }
