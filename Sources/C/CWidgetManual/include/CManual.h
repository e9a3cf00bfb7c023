#ifndef CMANUAL_H
#define CMANUAL_H

#include <stddef.h>

/// A document of `Texts`: its bytes live as long as the program.
struct manual_text {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The document at this place, from 0; one without a name follows the last.
struct manual_text manual_text_at(size_t place);

#endif
