import WidgetDeflate

/// A zip archive of files that are stored as they are.
enum StoredArchive {
    static func bytes(_ files: [(name: String, text: String)]) -> [UInt8] {
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        for file in files {
            let (name, content) = (Array(file.name.utf8), Array(file.text.utf8))
            let place = bytes.count
            // Version 2.0, a name in UTF-8, stored, on 1 January 1980.
            let common =
                word(20, 2) + word(0x800, 2) + word(0, 2) + word(0, 2) + word(0x21, 2)
                + word(Int(Checksum.of(content)), 4) + word(content.count, 4) + word(content.count, 4)
                + word(name.count, 2) + word(0, 2)
            bytes += Array("PK\u{3}\u{4}".utf8) + common + name + content
            directory += Array("PK\u{1}\u{2}".utf8) + word(20, 2) + common + word(0, 2) + word(0, 2) + word(0, 2)
            directory += word(0, 4) + word(place, 4) + name
        }
        let end = word(0, 2) + word(0, 2) + word(files.count, 2) + word(files.count, 2)
        let places = word(directory.count, 4) + word(bytes.count, 4) + word(0, 2)
        return bytes + directory + Array("PK\u{5}\u{6}".utf8) + end + places
    }

    private static func word(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
