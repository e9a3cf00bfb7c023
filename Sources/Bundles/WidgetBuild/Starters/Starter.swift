/// The sources of a new bundle: screens as text, what they do, a service that answers from its file, and a model; or
/// documents; or a package of Swift.
package struct Starter: Sendable {
    /// The kind of widget that a new bundle is.
    package enum Kind: String, CaseIterable, Sendable {
        case list, detail, form, feed, document, today, declarative

        /// A line for help and for the README.
        package var summary: String {
            switch self {
            case .list: "a list that can be searched, and a screen for each row"
            case .detail: "one record with a picture, and a button that changes it"
            case .form: "a form, and a list of what was saved"
            case .feed: "a feed that is pulled to refresh, and loads more at its end"
            case .document: "a list that is narrowed by typing, and a screen for each row, without a storyboard"
            case .today: "a glance at the next tides for an overview of widgets, with a link into its app"
            case .declarative: "a list that is narrowed by typing, and a screen for each row, in Swift"
            }
        }

        fileprivate var texts: [(path: String, text: String)] {
            switch self {
            case .list: Starter.listTexts
            case .detail: Starter.detailTexts
            case .form: Starter.formTexts
            case .feed: Starter.feedTexts
            case .document: Starter.documentTexts
            case .today: Starter.todayTexts
            case .declarative: []
            }
        }

        /// True if its screens are documents.
        fileprivate var hasDocuments: Bool { texts.contains { $0.path.hasSuffix(".widgets.json") } }
    }

    package let files: [BundleCompiler.File]

    /// Fails when the name is not suitable: letters, digits, hyphens and underscores, a letter first.
    ///
    /// - Parameter library: the place of the module `Widgets`, for a package of Swift. It fails without one, and for a
    ///   name of a module.
    package init?(named name: String, kind: Kind = .list, library: Library? = nil) {
        guard let first = name.utf8.first, Starter.isLetter(first), name.utf8.count <= 64,
            name.utf8.allSatisfy({ Starter.isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F })
        else { return nil }
        let identifier = String(decoding: name.utf8.map { $0 == 0x5F ? 0x2D : $0 }, as: UTF8.self)
        let manifest = Starter.manifest(name: name, identifier: "com.example.\(identifier)")
        let texts: [(path: String, text: String)]
        if kind == .declarative {
            guard let library, !Starter.takenNames.contains(name) else { return nil }
            texts =
                Starter.declarativeTexts(name, library)
                + [("Bundle/Info.plist", manifest), ("README.md", Starter.declarativeReadme(name))]
        } else {
            texts = [("Info.plist", manifest)] + kind.texts + [("README.md", Starter.readme(name, kind))]
        }
        var files = texts.map { BundleCompiler.File(path: $0.path, bytes: Array($0.text.utf8)) }
        if kind == .detail { files.append(BundleCompiler.File(path: "harbour.png", bytes: Starter.picture)) }
        self.files = files
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func manifest(name: String, identifier: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key>
            <string>\(identifier)</string>
            <key>CFBundleName</key>
            <string>\(name)</string>
            <key>CFBundleShortVersionString</key>
            <string>1.0</string>
            <key>CFBundleVersion</key>
            <string>1</string>
        </dict>
        </plist>

        """
    }

    private static func readme(_ name: String, _ kind: Kind) -> String {
        return """
            # \(name)

            This is \(kind.summary).

                widget run \(name)                                     # in the terminal; save a file, and it is replaced
                widget render \(name) --events \(name)/story.json      # plays the story, and prints the last view
                widget build \(name) -o \(name).zip                    # the archive
                widget publish \(name).zip                             # to a registry
            \(kind.hasDocuments ? documentFiles(kind) : schemeFiles(kind))
            * `story.json`: a script that shows whether it works; it is not part of the bundle
            * `Info.plist`: identifier, name and version

            """
    }

    private static func schemeFiles(_ kind: Kind) -> String {
        let schemes = kind.texts.map(\.path).filter { $0.hasSuffix("ViewController.json") }
        return """
                widget schema                                       # what the JSON files may say, for an editor

            * `Main.screens`: the screens, their views and the ways between them, one line each;
              `widget convert Main.screens` prints the storyboard that it becomes
            * \(schemes.map { "`\($0)`" }.joined(separator: ", ")): what \(schemes.count == 1 ? "the screen does" : "each screen does")
            * `StubService.json`: answers in place of those of a server; `Service.json` would ask one
            * `Model.xcdatamodeld`: the records that are kept
            """
    }

    private static func documentFiles(_ kind: Kind) -> String {
        let others = kind.texts.map(\.path).filter { $0.hasSuffix(".widgets.json") && !$0.hasPrefix("Main") }
        let pushed = others.map { "\n* `\($0)`: a screen that it leads to" }.joined()
        let components = kind.texts.map(\.path).filter { $0.hasPrefix("components/") }
            .map { "\n* `\($0)`: an element that all documents can use as a kind" }.joined()
        let service =
            kind.texts.contains { $0.path == "StubService.json" }
            ? "\n* `StubService.json`: answers in place of those of a server; `Service.json` would ask one" : ""
        return """
                widget kinds                                        # the elements that there are; `widget kinds table`

            * `Main.widgets.json`: the first screen\(pushed)\(components)\(service)
            """
    }
}
