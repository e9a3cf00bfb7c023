/// A word or a sentence that readers see and no author has written. Its texts are in `words.txt`.
package enum SystemWord: String, CaseIterable, Sendable {
    case back, cancel, ok, error
    // Buttons of the system.
    case done, edit, save, add, moreInfo, compose, reply, action, organize, bookmarks, search, refresh, stop, camera
    case trash, play, pause, rewind, fastForward, undo, redo
    // Fields that break a rule, by the names of `FieldMessages`.
    case required, on, minimumLength, maximumLength, pattern, number, minimum, maximum, minimumDate, maximumDate
    case predicateFormat, field
    // Elements without a name.
    case element, button, picture, noImage, text, `switch`, slider, stepper, choice, date, pages, loading, progress
    case webPage, drawing, list, row, form, tabs, tab, toolbar, content
    // Controls.
    case decrement, increment, previousPage, nextPage, segment, nothing, andMore, moreRows, moreRowsShown, checked
    case delete, disabled, invalid, readonly
    // A widget on its page.
    case widget, nothingToShow, screens, run, wantsToOpen, linkLost, serverStatus
    // A page that has ended, or does not take an act.
    case ended, endedIdle, endedForOthers, endedTooLarge, endedLeft, endedServer, begunAnew
    case tooManyPages, tooManyOfReader, tooManyHint, tooFast, tooFastHint, broken, unreadable, endedHint
    case begin, backToPage, typed, notTaken, noAnswer
    // A page with several widgets.
    case load, loadAgain, loadingNow, notLoaded, updateAll, update, earlier, later
}

/// The words of the system in the language that suits a reader best; English where a language lacks one.
package struct SystemWords: Sendable {
    /// The tag of the language, as pages name it.
    package let language: String
    private let texts: [SystemWord: String]

    package static let english = SystemWords("en", .shared)

    /// The tags of all languages that the system has words in.
    package static var languages: [String] { WordFile.shared.languages }

    /// The words of each language of the file, by its tag. A reader's locale chooses among them and adds none.
    private static let known = Dictionary(
        WordFile.shared.languages.map { ($0, SystemWords($0, .shared)) }
    ) { first, _ in first }

    private init(language: String, texts: [SystemWord: String]) {
        self.language = language
        self.texts = texts
    }

    /// - Parameter locale: the reader's language and region, as `de_AT`; empty for English.
    package init(_ locale: String) {
        let isEnglish = locale.isEmpty || locale.hasPrefix("en_") || locale.hasPrefix("en-") || locale == "en"
        let names = isEnglish ? [] : ReaderLanguage(locale).names
        self = names.lazy.compactMap { SystemWords.known[$0] }.first ?? .english
    }

    /// The words of one section of a file.
    init(_ language: String, _ file: WordFile) {
        self.init(language: language, texts: file.texts(language) ?? [:])
    }

    package var isEnglish: Bool { language == "en" }

    package subscript(_ word: SystemWord) -> String {
        texts[word] ?? (isEnglish ? "" : SystemWords.english[word])
    }

    /// A sentence with its values in their places, such as `$name`.
    package subscript(_ word: SystemWord, _ values: KeyValuePairs<String, String>) -> String {
        var text = self[word]
        for (name, value) in values { text = text.replacing("$\(name)", with: value) }
        return text
    }
}

extension SystemWords: Equatable {
    package static func == (one: SystemWords, other: SystemWords) -> Bool { one.language == other.language }
}
