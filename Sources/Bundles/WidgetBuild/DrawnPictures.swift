internal import WidgetAssetCatalog
internal import WidgetBytes
internal import WidgetDrawings

/// The pictures of a bundle that are drawn from PDF and SVG files, and the files that cannot be drawn.
struct DrawnPictures {
    struct Picture: Equatable {
        /// Pixels along a point of the screens that it is for.
        var scale: Int
        /// A PNG.
        var bytes: [UInt8]
    }

    /// The scales of pictures for all screens.
    static let scales = [1, 2, 3]
    /// The most files that are written: a bundle has no more than 4,096.
    private static let mostFiles = 2_700
    /// The most pixels of all pictures together.
    private static let mostPixels = 512 << 20
    /// Files that are named in a note.
    private static let listedCount = 4

    private var fileCount = 0
    private var pixelCount = 0
    private var failures: [(reason: String, paths: [String])] = []

    static func isDrawing(_ file: String) -> Bool { ["pdf", "svg"].contains(SourceKind.ending(file)) }

    /// Draws a file.
    ///
    /// - Parameters:
    ///   - path: names the file in the notes.
    ///   - slot: the only scale that the file is for, which has its size in pixels then; `nil` for all scales.
    ///   - isTemplate: marks pictures that are painted in the tint.
    /// - Returns: a picture for each scale; none for a file that cannot be drawn.
    mutating func pictures(_ bytes: [UInt8], path: String, slot: Int? = nil, isTemplate: Bool = false) -> [Picture] {
        do throws(DrawingError) {
            let drawing = try Drawing(parsing: bytes)
            var pictures: [Picture] = []
            for scale in slot.map({ [$0] }) ?? DrawnPictures.scales {
                let bitmap: Bitmap
                do throws(DrawingError) {
                    bitmap = try drawing.bitmap(scale: slot == nil ? Double(scale) : 1)
                } catch {
                    // A picture that is too much at one scale is shown at a smaller one.
                    guard case .limitReached = error.reason, !pictures.isEmpty else { throw error }
                    break
                }
                pixelCount += bitmap.width * bitmap.height
                fileCount += 1
                guard pixelCount <= DrawnPictures.mostPixels, fileCount <= DrawnPictures.mostFiles else {
                    fail(path, "the pictures of a bundle that are drawn are too many")
                    return []
                }
                guard let png = try? bitmap.png(isTemplate: isTemplate) else { continue }
                pictures.append(Picture(scale: scale, bytes: png))
            }
            return pictures
        } catch {
            fail(path, "\(error.reason)")
            return []
        }
    }

    private mutating func fail(_ path: String, _ reason: String) {
        if let place = failures.firstIndex(where: { $0.reason == reason }) {
            failures[place].paths.append(path)
        } else {
            failures.append((reason, [path]))
        }
    }

    /// A note for each reason, with the files that were left out for it.
    var notes: [String] {
        failures.map { failure in
            let words = failure.paths.prefix(DrawnPictures.listedCount).joined(separator: ", ")
            let rest = failure.paths.count - DrawnPictures.listedCount
            return "\(words)\(rest > 0 ? " and \(rest) more" : ""): left out, \(failure.reason)"
        }
    }

    /// Gives the pictures of a drawing the names that are free.
    ///
    /// - Parameters:
    ///   - path: the drawing.
    ///   - taken: the sources of pictures by their names without the endings; those that get a name are added.
    ///   - name: the name at a scale.
    /// - Returns: the pictures with their names, and for the others the sources of those that have theirs.
    static func named(
        _ pictures: [Picture], of path: String, _ taken: inout [String: String], by name: (Int) -> String
    ) -> (kept: [(name: String, bytes: [UInt8])], displaced: [(scale: Int, source: String)]) {
        var (kept, displaced): ([(name: String, bytes: [UInt8])], [(scale: Int, source: String)]) = ([], [])
        for picture in pictures {
            let name = name(picture.scale)
            if let source = taken[name] {
                displaced.append((picture.scale, source))
            } else {
                taken[name] = path
                kept.append((name, picture.bytes))
            }
        }
        return (kept, displaced)
    }

    /// A note about pictures of a drawing in whose place others are in the bundle; `nil` without such pictures.
    ///
    /// - Parameters:
    ///   - displaced: the scales of those pictures, and the sources of the others.
    ///   - isWhole: true if nothing of the drawing is in the bundle.
    static func note(_ path: String, displaced: [(scale: Int, source: String)], isWhole: Bool) -> String? {
        guard !displaced.isEmpty else { return nil }
        let scales = isWhole ? "" : " at \(displaced.map { "\($0.scale)x" }.joined(separator: ", "))"
        return
            "\(path): left out\(scales), in favour of \(Set(displaced.map(\.source)).sorted().joined(separator: ", "))"
    }

    /// The end of a picture's name at a scale.
    static func mark(_ scale: Int) -> String { scale == 1 ? "" : "@\(scale)x" }
}
