internal import WidgetBytes

/// The kind of a file in a source folder, by its name: it decides the file's way into the bundle.
enum SourceKind: Equatable {
    /// A storyboard or a separate interface, which is compiled.
    case interface
    /// Screens as text, which are compiled as a storyboard.
    case screens
    /// A PDF or SVG file, of which pictures are drawn.
    case drawing
    /// Copied as it is.
    case copied
    /// Left out, for this reason.
    case leftOut(String)
    case unknown

    private static let interfaces: Set<String> = ["storyboard", "xib"]
    /// Pictures that a bundle holds as they are.
    static let pictures: Set<String> = ["png", "jpg", "jpeg", "gif", "heic", "webp"]
    private static let resources: Set<String> = pictures.union([
        "json", "plist", "strings", "stringsdict", "ttf", "otf",
    ])

    private static let code: Set<String> = [
        "swift", "m", "mm", "h", "hh", "hpp", "c", "cc", "cpp", "cxx", "s", "asm", "pch", "metal", "modulemap",
        "intentdefinition", "js", "ts", "rb", "a", "o", "dylib", "tbd",
    ]
    /// Files of projects and their tools, by ending and by name.
    private static let tools: Set<String> = [
        "xcconfig", "entitlements", "xcscheme", "xctestplan", "pbxproj", "xcworkspacedata", "xcuserstate", "yml",
        "yaml",
        "toml", "lock", "resolved", "podspec", "gradle", "mobileprovision", "xcprivacy", "storekit",
    ]
    private static let toolNames: Set<String> = [
        "Podfile", "Cartfile", "Cartfile.private", "Gemfile", "Fastfile", "Appfile", "Rakefile", "Dangerfile",
        "Brewfile", "PkgInfo",
    ]
    private static let documents: Set<String> = ["md", "markdown", "txt", "rst", "adoc", "py", "sh"]
    private static let documentNames: Set<String> = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "Makefile"]
    /// Files that applications have and a bundle cannot hold.
    private static let foreign: Set<String> = [
        "html", "htm", "css", "xml", "eps", "rtf", "csv", "sqlite", "db", "cer", "crt", "der", "pem",
        "p12", "wav", "mp3", "m4a", "aac", "aif", "aiff", "caf", "mp4", "mov", "m4v", "bmp", "tif", "tiff", "psd",
        "sketch", "ai", "ico", "icns", "zip", "gz", "mlmodel", "scn", "dae", "usdz", "sks", "gpx", "mom",
    ]

    /// Folders with all that is in them, by ending and by name.
    private static let toolFolders: Set<String> = [
        "xcodeproj", "xcworkspace", "playground", "framework", "xcframework", "docc", "dsym", "xcresult",
    ]
    private static let toolFolderNames: Set<String> = [
        "Pods", "Carthage", "DerivedData", "node_modules", "fastlane", "xcuserdata",
    ]

    /// The name of a script of events for `widget render`, alone or behind another name and a dot.
    static let story = "story.json"
    /// True for a file that is a script by its name alone: scripts are arrays, and schemes are objects.
    static func isOtherThanStory(_ name: String, _ bytes: [UInt8]) -> Bool {
        name.hasSuffix(story) && bytes.first { !" \t\r\n".utf8.contains($0) } != UInt8(ascii: "[")
    }

    static let codeReason = "a bundle holds no code; a host brings the classes that interfaces name"
    static let toolReason = "it is for building an application"

    init(ofFile name: String) {
        let kind = SourceKind.ending(name)
        if name == SourceKind.story || name.hasSuffix(".\(SourceKind.story)") {
            self = .leftOut("it is a script of events")
        } else if name.hasPrefix(".") || SourceKind.documents.contains(kind) || SourceKind.documentNames.contains(name)
        {
            self = .leftOut("it is not for the bundle")
        } else if SourceKind.interfaces.contains(kind) {
            self = .interface
        } else if kind == ScreenNotation.ending {
            self = .screens
        } else if name == "Package.swift" || SourceKind.tools.contains(kind) || SourceKind.toolNames.contains(name) {
            self = .leftOut(SourceKind.toolReason)
        } else if SourceKind.code.contains(kind) {
            self = .leftOut(SourceKind.codeReason)
        } else if DrawnPictures.isDrawing(name) {
            self = .drawing
        } else if SourceKind.resources.contains(kind) {
            self = .copied
        } else if SourceKind.foreign.contains(kind) {
            self = .leftOut("a bundle cannot hold such files")
        } else {
            self = .unknown
        }
    }

    /// Returns true for a folder that belongs to a project or its tools, such as `.build`, and is left out whole.
    static func isToolFolder(_ name: String) -> Bool {
        name.hasPrefix(".") || toolFolderNames.contains(name) || toolFolders.contains(ending(name))
    }

    /// The part behind the last dot, in small letters; empty without a dot.
    static func ending(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(name[name.utf8.index(after: dot)...]).lowercased()
    }
}

/// The files that are left out of a bundle, in the order of the source; many of one kind in one folder are one note.
struct LeftOutFiles {
    private struct Group: Hashable {
        var folder: String
        var kind: String
        var reason: String
    }

    /// Files named one by one, and named in a note about many.
    private static let listedCount = 3

    private var order: [Group] = []
    private var folders: Set<String> = []
    private var members: [Group: [String]] = [:]

    mutating func add(_ path: String, _ reason: String) {
        let parts = path.split(separator: "/")
        let name = parts.last.map { String($0) } ?? path
        let group = Group(
            folder: parts.dropLast().joined(separator: "/"), kind: SourceKind.ending(name), reason: reason)
        if members[group] == nil { order.append(group) }
        members[group, default: []].append(path)
    }

    /// Adds a folder with all its files.
    mutating func add(whole folder: String) {
        if folders.insert(folder).inserted { add(folder, SourceKind.toolReason) }
    }

    var notes: [String] {
        order.flatMap { group in
            let paths = members[group] ?? []
            if paths.count <= LeftOutFiles.listedCount { return paths.map { "\($0): left out, \(group.reason)" } }
            let folder = group.folder.isEmpty ? "" : "\(group.folder)/"
            return ["\(folder)*.\(group.kind): \(paths.count) files left out, \(group.reason)"]
        }
    }
}
