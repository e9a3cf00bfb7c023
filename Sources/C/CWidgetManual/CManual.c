// The documents for people, as bytes in the program. Embedded in Swift they would be literals of 300,000 numbers, which take
// the compiler half a minute; the preprocessor takes them as they are, and notices when one changes.
#include "CManual.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char authoring[] = {
#embed "Texts/authoring.md"
};
static const unsigned char building[] = {
#embed "Texts/building.md"
};
static const unsigned char commands[] = {
#embed "Texts/commands.md"
};
static const unsigned char compatibility[] = {
#embed "Texts/compatibility.md"
};
static const unsigned char configuration[] = {
#embed "Texts/configuration.md"
};
static const unsigned char documents[] = {
#embed "Texts/documents.md"
};
static const unsigned char host[] = {
#embed "Texts/host.md"
};
static const unsigned char hosting[] = {
#embed "Texts/hosting.md"
};
static const unsigned char http[] = {
#embed "Texts/http.md"
};
static const unsigned char installing[] = {
#embed "Texts/installing.md"
};
static const unsigned char live[] = {
#embed "Texts/live.md"
};
static const unsigned char mirrors[] = {
#embed "Texts/mirrors.md"
};
static const unsigned char operating[] = {
#embed "Texts/operating.md"
};
static const unsigned char pages_of_the_registry[] = {
#embed "Texts/pages-of-the-registry.md"
};
static const unsigned char publishing[] = {
#embed "Texts/publishing.md"
};
static const unsigned char scaling[] = {
#embed "Texts/scaling.md"
};
static const unsigned char screens[] = {
#embed "Texts/screens.md"
};
static const unsigned char static_copy[] = {
#embed "Texts/static-copy.md"
};
static const unsigned char tutorial_declarative[] = {
#embed "Texts/tutorial-declarative.md"
};
static const unsigned char tutorial_documents[] = {
#embed "Texts/tutorial-documents.md"
};
static const unsigned char tutorial_today[] = {
#embed "Texts/tutorial-today.md"
};
static const unsigned char updates[] = {
#embed "Texts/updates.md"
};

#define TEXT(name, bytes) {name, bytes, sizeof bytes}

static const struct manual_text texts[] = {
    TEXT("authoring", authoring),
    TEXT("building", building),
    TEXT("commands", commands),
    TEXT("compatibility", compatibility),
    TEXT("configuration", configuration),
    TEXT("documents", documents),
    TEXT("host", host),
    TEXT("hosting", hosting),
    TEXT("http", http),
    TEXT("installing", installing),
    TEXT("live", live),
    TEXT("mirrors", mirrors),
    TEXT("operating", operating),
    TEXT("pages-of-the-registry", pages_of_the_registry),
    TEXT("publishing", publishing),
    TEXT("scaling", scaling),
    TEXT("screens", screens),
    TEXT("static-copy", static_copy),
    TEXT("tutorial-declarative", tutorial_declarative),
    TEXT("tutorial-documents", tutorial_documents),
    TEXT("tutorial-today", tutorial_today),
    TEXT("updates", updates),
};

struct manual_text manual_text_at(size_t place)
{
    struct manual_text none = {NULL, NULL, 0};
    return place < sizeof texts / sizeof texts[0] ? texts[place] : none;
}
