import WidgetDeflate

/// Writes small PDF files for tests.
struct WrittenPDF {
    enum Form: CaseIterable {
        /// A table, and streams as they are.
        case plain
        /// A table, and streams that are compressed.
        case compressed
        /// Objects in a stream, and a table that is a stream with predicted rows.
        case packed
    }

    var width = 100
    var height = 100
    var content: String
    /// Members of the page's resources.
    var resources = ""
    /// Further objects from number 5 on.
    var objects: [String] = []
    /// Members of the page, and of the trailer.
    var page = ""
    var trailer = ""

    private func stream(_ bytes: [UInt8], _ members: String, isCompressed: Bool) -> [UInt8] {
        let data = isCompressed ? WidgetDeflate.zlib(bytes, level: 6) ?? [] : bytes
        let filter = isCompressed ? "/Filter /FlateDecode" : ""
        return Array("<< \(members) \(filter) /Length \(data.count) >>\nstream\n".utf8) + data
            + Array("\nendstream".utf8)
    }

    func bytes(_ form: Form = .plain) -> [UInt8] {
        let catalog = "<< /Type /Catalog /Pages 2 0 R >>"
        let pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 \(width) \(height)] >>"
        let page = "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << \(resources) >> \(page) >>"
        let plain = [catalog, pages, page].map { Array($0.utf8) }
        let content = stream(Array(content.utf8), "", isCompressed: form != .plain)
        var file = Array("%PDF-1.5\n%\u{E2}\u{E3}\n".utf8)
        var offsets: [Int: Int] = [:]
        func add(_ number: Int, _ bytes: [UInt8]) {
            offsets[number] = file.count
            file += Array("\(number) 0 obj\n".utf8) + bytes + Array("\nendobj\n".utf8)
        }
        add(4, content)
        for (place, object) in objects.enumerated() { add(5 + place, Array(object.utf8)) }
        let count = 5 + objects.count
        guard form == .packed else {
            for (place, object) in plain.enumerated() { add(1 + place, object) }
            let start = file.count
            var table = "xref\n0 \(count)\n0000000000 65535 f \n"
            for number in 1..<count {
                let offset = String(offsets[number] ?? 0)
                table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
            }
            table += "trailer\n<< /Size \(count) /Root 1 0 R \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
            return file + Array(table.utf8)
        }
        var heads = ""
        var bodies: [UInt8] = []
        for (place, object) in plain.enumerated() {
            heads += "\(1 + place) \(bodies.count) "
            bodies += object + [0x20]
        }
        add(
            count,
            stream(Array(heads.utf8) + bodies, "/Type /ObjStm /N 3 /First \(heads.utf8.count)", isCompressed: true))
        let start = file.count
        var rows: [UInt8] = []
        var above = [UInt8](repeating: 0, count: 4)
        for number in 0..<count + 2 {
            var row: [UInt8] = [1, 0, 0, 0]
            if (1...3).contains(number) {
                row = [2, 0, UInt8(count), UInt8(number - 1)]
            } else {
                let offset = number == count + 1 ? start : offsets[number] ?? 0
                row = [number == 0 ? 0 : 1, UInt8(offset >> 8), UInt8(offset & 255), 0]
            }
            rows.append(2)
            rows += zip(row, above).map { $0 &- $1 }
            above = row
        }
        let data = WidgetDeflate.zlib(rows, level: 6) ?? []
        let members =
            "/Type /XRef /Size \(count + 2) /W [1 2 1] /Root 1 0 R /Filter /FlateDecode "
            + "/DecodeParms << /Predictor 12 /Columns 4 >> /Length \(data.count) \(trailer)"
        file += Array("\(count + 1) 0 obj\n<< \(members) >>\nstream\n".utf8) + data
        return file + Array("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8)
    }
}
