// What the engine's file asks its host for, and what it has of C.
#include <math.h>
#include <stdlib.h>

/// Milliseconds since 1970.
__attribute__((import_module("engine"), import_name("now"))) double engine_now(void);
