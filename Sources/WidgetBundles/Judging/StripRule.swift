/// Why something was left out of a bundle. The raw value is what reports show and what a publisher can filter by.
package enum StripRule: String, Equatable, Sendable, CaseIterable {
    /// What desktops leave behind: `__MACOSX`, `.DS_Store`, `._*`, `Thumbs.db`, `desktop.ini`.
    case noise
    /// The file `CFBundleExecutable` names, or anything that is code by content or by name.
    case executable
    /// Folders for code: frameworks, plug-ins, services.
    case codeFolder = "code-folder"
    /// Signatures and provisioning, which say something about bytes that are no longer there.
    case signature
    /// What belongs to the way an application was packed.
    case packaging
    /// A bundle inside the bundle.
    case nestedBundle = "nested-bundle"
    /// An archive inside the bundle.
    case nestedArchive = "nested-archive"
    /// Documents that can act when shown: HTML, JavaScript, SVG, PDF.
    case activeContent = "active-content"
    /// Everything else that is not on the allow-list.
    case notAllowed = "not-allowed"
}

extension StripRule {
    /// The rule for content or a name of that kind; `nil` for what a bundle is made of.
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
