import WidgetDocuments
import WidgetFiles

/// Hostile bundles as folders, for programs that read files.
package enum HostileFiles {
    /// Writes all of them into a folder, a folder for each: compiled ones under `widget` and documents under `document`, with a
    /// number and the name. The acts of a user are in `widget-NUMBER.events.json` beside the folder.
    package static func write(into folder: String) throws {
        for (number, widget) in try HostileWidget.all().enumerated() {
            let place = "\(folder)/widget-\(number) \(widget.name)"
            try write(widget.files, into: place)
            try Directory(opening: folder).createFile("widget-\(number).events.json")
                .write(Array(widget.script.utf8), at: 0)
        }
        for (number, document) in HostileDocument.all.enumerated() {
            let files = (document.input.documents + document.input.components).map { ($0.path, $0.bytes) }
            try write(
                Dictionary(files) { first, _ in first }, into: "\(folder)/document-\(number) \(document.name)")
        }
    }

    private static func write(_ files: [String: [UInt8]], into folder: String) throws {
        for (path, bytes) in files {
            let parts = "\(folder)/\(path)".split(separator: "/", omittingEmptySubsequences: false)
            let parent = try Directory(creating: parts.dropLast().joined(separator: "/"))
            try parent.createFile(String(parts.last ?? "")).write(bytes, at: 0)
        }
    }
}
