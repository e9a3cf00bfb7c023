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
static const unsigned char granting_network[] = {
#embed "Texts/granting-network.md"
};
static const unsigned char host[] = {
#embed "Texts/host.md"
};
static const unsigned char host_your_first_widget[] = {
#embed "Texts/host-your-first-widget.md"
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
static const unsigned char mirrors[] = {
#embed "Texts/mirrors.md"
};
static const unsigned char offline_first[] = {
#embed "Texts/offline-first.md"
};
static const unsigned char operating[] = {
#embed "Texts/operating.md"
};
static const unsigned char outcomes[] = {
#embed "Texts/outcomes.md"
};
static const unsigned char pages_of_the_registry[] = {
#embed "Texts/pages-of-the-registry.md"
};
static const unsigned char pages_of_your_own[] = {
#embed "Texts/pages-of-your-own.md"
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
static const unsigned char testing_by_a_script[] = {
#embed "Texts/testing-by-a-script.md"
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
static const unsigned char updates_and_rollbacks[] = {
#embed "Texts/updates-and-rollbacks.md"
};

#define TEXT(name, bytes) {name, bytes, sizeof bytes}

static const struct manual_text texts[] = {
    TEXT("authoring", authoring),
    TEXT("building", building),
    TEXT("commands", commands),
    TEXT("compatibility", compatibility),
    TEXT("configuration", configuration),
    TEXT("documents", documents),
    TEXT("granting-network", granting_network),
    TEXT("host", host),
    TEXT("host-your-first-widget", host_your_first_widget),
    TEXT("hosting", hosting),
    TEXT("http", http),
    TEXT("installing", installing),
    TEXT("mirrors", mirrors),
    TEXT("offline-first", offline_first),
    TEXT("operating", operating),
    TEXT("outcomes", outcomes),
    TEXT("pages-of-the-registry", pages_of_the_registry),
    TEXT("pages-of-your-own", pages_of_your_own),
    TEXT("publishing", publishing),
    TEXT("scaling", scaling),
    TEXT("screens", screens),
    TEXT("static-copy", static_copy),
    TEXT("testing-by-a-script", testing_by_a_script),
    TEXT("tutorial-declarative", tutorial_declarative),
    TEXT("tutorial-documents", tutorial_documents),
    TEXT("tutorial-today", tutorial_today),
    TEXT("updates", updates),
    TEXT("updates-and-rollbacks", updates_and_rollbacks),
};

struct manual_text manual_text_at(size_t place)
{
    struct manual_text none = {NULL, NULL, 0};
    return place < sizeof texts / sizeof texts[0] ? texts[place] : none;
}
