/// The reason why a file was stripped from a bundle. Reports show the raw value, and publishers can filter by it.
package enum StripRule: String, Equatable, Sendable, CaseIterable {
    /// Files that desktops add: `__MACOSX`, `.DS_Store`, `._*`, `Thumbs.db`, `desktop.ini`.
    case noise
    /// The file named by `CFBundleExecutable`, and any file that is code by content or by name.
    case executable
    /// Folders for code: frameworks, plug-ins, services.
    case codeFolder = "code-folder"
    /// Signatures and provisioning, which sign bytes that are no longer there.
    case signature
    /// Files of the way an application was packed.
    case packaging
    /// A bundle inside the bundle.
    case nestedBundle = "nested-bundle"
    /// An archive inside the bundle.
    case nestedArchive = "nested-archive"
    /// Documents that can act when shown: HTML, JavaScript, SVG, PDF.
    case activeContent = "active-content"
    /// Any other file that is not on the allow-list.
    case notAllowed = "not-allowed"
}

extension StripRule {
    /// The rule for content or a name of that kind; `nil` for the content of bundles.
    init?(_ kind: ContentKind) {
        switch kind {
        case .machO, .fatMachO, .elf, .portableExecutable, .wasm, .bitcode, .staticLibrary, .objectFile,
            .dynamicLibrary, .javaClass, .dex, .python, .lua, .metalLibrary, .script, .appleScript, .flash,
            .executable, .debugSymbols:
            self = .executable
        case .html, .svg, .pdf, .javaScript: self = .activeContent
        case .archive: self = .nestedArchive
        case .signature, .provisioning: self = .signature
        case .packaging: self = .packaging
        case .noise: self = .noise
        default: return nil
        }
    }
}

/// A pattern for the end of a path.
struct PathPattern {
    private let components: [[UInt8]]

    init(_ text: String) {
        components = text.utf8.split(separator: 0x2F).map { PathPattern.folded($0) }
    }

    /// - Parameter names: the components of a path, folded.
    func matches(_ names: [[UInt8]]) -> Bool {
        guard !components.isEmpty, names.count >= components.count else { return false }
        return zip(components, names.suffix(components.count)).allSatisfy(PathPattern.matches)
    }

    /// Returns a path in the form that ``matches(_:)`` compares.
    static func folded(_ path: [String]) -> [[UInt8]] { path.map { folded($0.utf8) } }

    private static func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Matches by backtracking to the last star only: linear in practice, and never exponential.
    private static func matches(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        var place = 0
        var index = 0
        var lastStar: Int?
        var resume = 0
        while index < name.count {
            if place < pattern.count, pattern[place] == star {
                lastStar = place
                resume = index
                place += 1
            } else if place < pattern.count, pattern[place] == name[index] {
                place += 1
                index += 1
            } else if let lastStar {
                place = lastStar + 1
                resume += 1
                index = resume
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == star }
    }
}

/// Parts of paths, found by bytes: a character that joins the one beside it must not hide a slash or a dot.
extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The part behind the last slash.
    var lastPathComponent: SubSequence {
        utf8.lastIndex(of: 0x2F).map { self[utf8.index(after: $0)...] } ?? self[startIndex...]
    }

    /// The part behind the last dot, in lower case; `nil` without a dot.
    var nameExtension: String? {
        utf8.lastIndex(of: 0x2E).map { self[utf8.index(after: $0)...].lowercased() }
    }
}
