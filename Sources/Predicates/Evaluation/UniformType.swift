/// The identifiers of data types, as far as systems declare them in common.
enum UniformType {
    /// Each type and what it conforms to.
    private static let parents: [String: [String]] = [
        "public.data": ["public.item"], "public.directory": ["public.item"], "public.content": [],
        "public.composite-content": ["public.content"], "public.text": ["public.data", "public.content"],
        "public.plain-text": ["public.text"], "public.utf8-plain-text": ["public.plain-text"],
        "public.utf16-plain-text": ["public.plain-text"], "public.rtf": ["public.text"],
        "public.html": ["public.text"], "public.xml": ["public.text"], "public.json": ["public.text"],
        "public.yaml": ["public.text"], "public.css": ["public.text"],
        "public.comma-separated-values-text": ["public.delimited-values-text"],
        "public.tab-separated-values-text": ["public.delimited-values-text"],
        "public.delimited-values-text": ["public.text"], "public.source-code": ["public.plain-text"],
        "public.swift-source": ["public.source-code"], "public.c-source": ["public.source-code"],
        "public.c-header": ["public.source-code"], "public.objective-c-source": ["public.source-code"],
        "public.script": ["public.source-code"], "public.shell-script": ["public.script"],
        "public.python-script": ["public.shell-script"], "com.netscape.javascript-source": ["public.source-code"],
        "public.image": ["public.data", "public.content"], "public.jpeg": ["public.image"],
        "public.png": ["public.image"], "public.tiff": ["public.image"], "public.heic": ["public.heif-standard"],
        "public.heif": ["public.heif-standard"], "public.heif-standard": ["public.image"],
        "public.svg-image": ["public.image", "public.xml"], "public.camera-raw-image": ["public.image"],
        "com.compuserve.gif": ["public.image"], "com.microsoft.bmp": ["public.image"],
        "com.microsoft.ico": ["public.image"], "com.apple.icns": ["public.image"],
        "org.webmproject.webp": ["public.image"], "com.adobe.pdf": ["public.data", "public.composite-content"],
        "public.audiovisual-content": ["public.data", "public.content"],
        "public.movie": ["public.audiovisual-content"], "public.video": ["public.movie"],
        "public.mpeg": ["public.movie"], "public.mpeg-4": ["public.movie"], "public.avi": ["public.movie"],
        "com.apple.quicktime-movie": ["public.movie"], "public.audio": ["public.audiovisual-content"],
        "public.mp3": ["public.audio"], "public.mpeg-4-audio": ["public.mpeg-4", "public.audio"],
        "public.aiff-audio": ["public.audio"], "com.microsoft.waveform-audio": ["public.audio"],
        "com.apple.m4a-audio": ["public.mpeg-4-audio"], "public.archive": ["public.data"],
        "public.zip-archive": ["public.archive"], "com.pkware.zip-archive": ["public.zip-archive"],
        "org.gnu.gnu-zip-archive": ["public.archive"], "public.tar-archive": ["public.archive"],
        "public.folder": ["public.directory"], "public.font": ["public.data"], "public.url": ["public.data"],
        "public.file-url": ["public.url"], "public.vcard": ["public.text", "public.contact"],
        "public.contact": ["public.content"], "public.message": ["public.data", "public.content"],
        "public.email-message": ["public.message"], "public.calendar-event": ["public.content"],
        "com.apple.property-list": ["public.data"],
        "com.apple.xml-property-list": ["public.xml", "com.apple.property-list"],
        "com.apple.binary-property-list": ["com.apple.property-list"], "public.database": [],
        "public.executable": ["public.data"], "public.presentation": ["public.composite-content"],
        "public.spreadsheet": ["public.content"], "public.rtfd": ["com.apple.rtfd"],
        "com.apple.rtfd": ["public.composite-content"], "public.bookmark": [], "public.disk-image": ["public.archive"],
        "public.3d-content": ["public.content"], "public.playlist": [],
        "public.m3u-playlist": ["public.text", "public.playlist"],
    ]

    static func areEqual(_ first: String, _ second: String) -> Bool { first.lowercased() == second.lowercased() }

    static func conforms(_ type: String, to other: String) -> Bool {
        let wanted = other.lowercased()
        var pending = [type.lowercased()]
        // Every type is listed after some way up, so the walk ends: the table has no circle.
        while let type = pending.popLast() {
            if type == wanted { return true }
            pending += parents[type] ?? []
        }
        return false
    }
}
