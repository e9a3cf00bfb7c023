internal import WidgetAssetCatalog
package import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetZip

/// The pictures of a bundle, by the names that interfaces and schemes have for them. Each is read when it is asked for.
///
/// Files that only Apple's programs read become ordinary ones: PNGs as Xcode packs them, and renditions of a catalogue.
package final class BundlePictures: Sendable {
    package enum Picture: Equatable, Sendable {
        case file(OrdinaryPicture)
        case missing
        /// The picture is there, and the reason why it cannot be read.
        case unusable(String)
    }

    /// A picture that every program reads. Its kind comes from its bytes, not from its name.
    package struct OrdinaryPicture: Equatable, Sendable {
        package enum Kind: String, CaseIterable, Sendable { case png, jpg, gif, webp }

        package let bytes: [UInt8]
        package let kind: Kind
        package let width: Int
        package let height: Int
        /// The pixels of a point.
        package let scale: Double
    }

    /// The most bytes of one picture's file.
    package static let byteLimit = 16 << 20
    private static let limits = AssetLimits(byteCount: 64 << 20, pixelCount: 16 << 20, expandedByteCount: 96 << 20)

    private let archive: FileDescriptor
    private let files: [String: [LoosePicture]]
    private let catalogueEntry: ZipEntry?
    private let state = Guarded(State())

    private struct State {
        var catalogue: Catalogue?
    }

    private enum Catalogue {
        case read(CompiledCatalog)
        case unreadable(String)
        case absent
    }

    /// Keeps the archive open, and reads nothing yet.
    package init(of opened: borrowing CanonicalBundle) throws(WidgetError) {
        archive = try rethrowing(try opened.archive.duplicate(), as: WidgetError.file)
        var files: [String: [LoosePicture]] = [:]
        var catalogue: ZipEntry?
        for entry in opened.directory.entries where !entry.isDirectory {
            let path = String(entry.name.text.dropFirst(opened.folder.count + 1))
            if path == "Assets.car" { catalogue = entry }
            guard let picture = LoosePicture(path, entry) else { continue }
            for name in picture.names { files[name, default: []].append(picture) }
        }
        self.files = files
        catalogueEntry = catalogue
    }

    /// The picture of a name, at the scale or the nearest one. Catalogues come before files, as on devices.
    ///
    /// - Parameter limit: the bytes of a catalogue's picture from which it is made smaller, so that it takes about as many:
    ///   a photograph loses more by that than a drawing.
    package func picture(_ name: String, scale: Int, isDark: Bool = false, shrunkFrom limit: Int = .max) -> Picture {
        switch catalogue {
        case .read(let catalogue):
            if let rendition = Self.best(of: catalogue.renditions(named: name), scale: scale, isDark: isDark) {
                return Self.picture(rendition, catalogue, limit)
            }
        case .unreadable(let reason) where files[name] == nil:
            return .unusable("the catalogue is unreadable: \(reason)")
        case .unreadable, .absent: break
        }
        guard let file = LoosePicture.best(of: files[name] ?? [], scale: scale) else { return .missing }
        return picture(file)
    }

    /// The names of all pictures, sorted.
    package var names: [String] {
        var names = Set(files.keys)
        if case .read(let catalogue) = catalogue {
            for rendition in catalogue.renditions where rendition.isImage {
                if let name = rendition.name { names.insert(name) }
            }
        }
        return names.sorted()
    }

    /// True for a picture that a catalogue has another one of for dark schemes.
    package func hasDarkVariant(of name: String) -> Bool {
        guard case .read(let catalogue) = catalogue else { return false }
        return catalogue.renditions(named: name).contains { $0.isImage && $0.appearance?.isDark == true }
    }

    /// The reason why the bundle's picture cannot be read; `nil` for one that can, and for one that is not there.
    package func fault(of name: String) -> String? {
        if case .unusable(let reason) = picture(name, scale: 2) { reason } else { nil }
    }

    // MARK: - Files

    private func picture(_ file: LoosePicture) -> Picture {
        guard file.entry.byteCount <= Self.byteLimit else {
            return .unusable("it has more than \(ByteCountText.of(Self.byteLimit))")
        }
        let bytes: [UInt8]
        do throws(WidgetError) {
            bytes = try self.bytes(of: file.entry)
        } catch {
            return .unusable("\(error)")
        }
        guard AppleImage.begins(bytes) else { return Self.answer(to: bytes, scale: file.scale) }
        do throws(AssetError) {
            return Self.answer(to: try AppleImage.transcoded(bytes, limits: Self.limits), scale: file.scale)
        } catch {
            return .unusable("\(error)")
        }
    }

    /// The answer for a file of these bytes.
    static func answer(to bytes: [UInt8], scale: Double = 1) -> Picture {
        guard let kind = kind(of: bytes) else {
            return .unusable("it is \(name(of: bytes)), and pages show PNG, JPEG, GIF and WebP")
        }
        guard let pixels = PictureHead.pixels(of: bytes) else { return .unusable("its size cannot be read") }
        return .file(
            OrdinaryPicture(bytes: bytes, kind: kind, width: pixels.width, height: pixels.height, scale: scale))
    }

    private static func kind(of bytes: [UInt8]) -> OrdinaryPicture.Kind? {
        if PNGImage.begins(bytes) { return .png }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpg }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
        return bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8) ? .webp : nil
    }

    /// Blanks that markup may begin with.
    private static let markupReach = 256

    /// The name of a kind of file that is not shown.
    private static func name(of bytes: [UInt8]) -> String {
        if bytes.starts(with: "%PDF".utf8) { return "PDF" }
        if bytes.dropFirst(4).starts(with: "ftyp".utf8) { return "HEIC or the like" }
        // Drawings can run scripts, and documents of XML or HTML even more so.
        if bytes.prefix(markupReach).drop(while: { $0 <= 0x20 }).first == UInt8(ascii: "<") {
            return "SVG or other markup"
        }
        return "of another kind"
    }

    private func bytes(of entry: ZipEntry) throws(WidgetError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.byteCount)
        var reader = try rethrowing(try ZipEntryReader(), as: WidgetError.archive)
        try rethrowing(as: { WidgetError.archive($0) }) { () throws(ZipError) in
            _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                bytes.append(copying: chunk)
            }
        }
        return bytes
    }

    // MARK: - The catalogue

    private var catalogue: Catalogue {
        state.withLock { state in
            if let known = state.catalogue { return known }
            let read = readCatalogue()
            state.catalogue = read
            return read
        }
    }

    private func readCatalogue() -> Catalogue {
        guard let entry = catalogueEntry else { return .absent }
        guard entry.byteCount <= Self.limits.byteCount else {
            return .unreadable("it has more than \(ByteCountText.of(Self.limits.byteCount))")
        }
        let bytes: [UInt8]
        do throws(WidgetError) {
            bytes = try self.bytes(of: entry)
        } catch {
            return .unreadable("\(error)")
        }
        do throws(AssetError) {
            return .read(try CompiledCatalog(parsing: bytes, limits: Self.limits))
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// Of one name: for the scheme, for phones, and of the scale or the next higher one.
    private static func best(of renditions: [Rendition], scale: Int, isDark: Bool) -> Rendition? {
        func rank(_ rendition: Rendition) -> [Double] {
            let appearance = rendition.appearance
            let isWanted = (appearance?.isDark ?? false) == isDark && appearance?.isHighContrast != true
            let plain = appearance == nil ? 1.0 : 2
            let idiom = rendition.idiom == .phone ? 0.0 : rendition.idiom == .universal ? 1 : 2
            return [isWanted ? 0 : plain, idiom, LoosePicture.distance(rendition.scale, from: scale)]
        }
        return renditions.filter { $0.isImage }.min { rank($0).lexicographicallyPrecedes(rank($1)) }
    }

    /// The least side of a picture that is made smaller.
    private static let leastSide = 64

    private static func picture(_ rendition: Rendition, _ catalogue: CompiledCatalog, _ limit: Int) -> Picture {
        do throws(AssetError) {
            if case .data = rendition.content {
                return answer(to: try catalogue.file(of: rendition), scale: rendition.scale)
            }
            var (bitmap, scale, bytes) = (try catalogue.bitmap(of: rendition), rendition.scale, rendition.byteCount)
            while bytes > limit, min(bitmap.width, bitmap.height) >= 2 * leastSide, let half = bitmap.halved {
                (bitmap, scale, bytes) = (half, scale / 2, bytes / 4)
            }
            return answer(to: try bitmap.png(), scale: scale)
        } catch {
            return .unusable("\(error)")
        }
    }
}

extension String {
    /// True for the names that catalogues have for dark appearances.
    fileprivate var isDark: Bool { contains("Dark") }
    /// True for appearances that only some readers have.
    fileprivate var isHighContrast: Bool { contains("HighContrast") }
}

/// A picture's file beside the catalogue, with what its name says of it.
private struct LoosePicture: Sendable {
    let entry: ZipEntry
    let names: Set<String>
    let scale: Double
    let isForPads: Bool

    private static let endings = [".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp", ".pdf"]

    /// - Returns: `nil` for files of other kinds.
    init?(_ path: String, _ entry: ZipEntry) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let ending = Self.endings.first(where: { name.lowercased().hasSuffix($0) }) else { return nil }
        var base = name.dropLast(ending.count)
        isForPads = base.hasSuffix("~ipad")
        for device in ["~iphone", "~ipad"] where base.hasSuffix(device) { base = base.dropLast(device.count) }
        var scale = 1.0
        for (mark, value) in [("@1x", 1.0), ("@2x", 2), ("@3x", 3)] where base.hasSuffix(mark) {
            base = base.dropLast(mark.count)
            scale = value
        }
        self.scale = scale
        self.entry = entry
        names = [name, String(base), "\(path.dropLast(name.count))\(base)", "\(base)\(name.suffix(ending.count))"]
    }

    static func best(of pictures: [LoosePicture], scale: Int) -> LoosePicture? {
        func rank(_ picture: LoosePicture) -> [Double] {
            [picture.isForPads ? 1 : 0, distance(picture.scale, from: scale)]
        }
        return pictures.min { rank($0).lexicographicallyPrecedes(rank($1)) }
    }

    /// 0 for the same scale; a greater one is nearer than any smaller one.
    static func distance(_ scale: Double, from wanted: Int) -> Double {
        let difference = scale - Double(wanted)
        return difference >= 0 ? difference : 100 - difference
    }
}
