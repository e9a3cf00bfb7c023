// Preloaded into a widgetd under test: where it would start itself as a cell, another program is started, with other
// words. Cells themselves do not load this, since the server gives them an environment of their own.
//
//   cc -shared -fPIC -O2 -o cells.so cells.c -ldl
//   CELL_PROGRAM=.build/debug/Specimen CELL_WORDS="cell review crash" LD_PRELOAD=./cells.so widgetd serve …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { room = 16 };

typedef int (*start)(const char *, char *const[], char *const[]);

static start real;
static char *words[room + 2];

// The other threads of a server have not begun yet. A child of one with threads may not ask for memory.
__attribute__((constructor)) static void prepare(void)
{
    real = (start)dlsym(RTLD_NEXT, "execve");
    words[0] = getenv("CELL_PROGRAM");
    char *rest = getenv("CELL_WORDS") ? strdup(getenv("CELL_WORDS")) : NULL;
    for (int count = 1; count <= room && rest && (words[count] = strtok(count == 1 ? rest : NULL, " ")); count++) {}
}

int execve(const char *path, char *const arguments[], char *const variables[])
{
    int is_cell = arguments[0] && arguments[1] && !strcmp(arguments[1], "cell") && words[0];
    return is_cell ? real(words[0], words, variables) : real(path, arguments, variables);
}
