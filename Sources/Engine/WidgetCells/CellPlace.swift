internal import JSONText
internal import WidgetCore
internal import WidgetLayout
internal import WidgetLive
internal import WidgetRender

/// The place of a viewing's pages, as the messages between a host and a cell have it.
enum CellPlace {
    static func write(_ place: LivePlace, to json: inout JSONWriter) {
        json.member("page", place.page)
        json.member("begin", place.begin)
        json.member("assets", place.assets)
        write(place.options, to: &json)
    }

    static func write(_ options: PageOptions, to json: inout JSONWriter) {
        json.key("sheets")
        json.array { json in for sheet in options.sheets { json.string(sheet) } }
        json.key("ways")
        json.array { json in for way in options.ways { write(way, to: &json) } }
        json.member("letter", options.letter)
        json.member("locale", options.locale)
        json.member("pictures", options.pictureFolder)
        if let scheme = options.scheme { json.member("scheme", scheme.rawValue) }
        let viewport = options.viewport
        json.key("viewport")
        json.array { json in
            let (size, area) = (viewport.size, viewport.safeArea)
            for number in [size.width, size.height, area.top, area.leading, area.bottom, area.trailing] {
                json.number(number)
            }
        }
        json.member("scale", viewport.scale)
        json.member("direction", viewport.direction.rawValue)
        json.member("textSize", viewport.textSize.rawValue)
        json.member("darkness", viewport.scheme.rawValue)
    }

    private static func write(_ way: LiveWay, to json: inout JSONWriter) {
        json.object { json in
            json.member("address", way.address)
            json.member("title", way.title)
            if let running = way.running { json.member("running", running) }
        }
    }

    private static func way(_ json: JSONValue) -> LiveWay? {
        guard let address = json["address"]?.string, let title = json["title"]?.string else { return nil }
        return LiveWay(address, title, running: json["running"]?.string)
    }

    static func place(_ message: CellMessage) throws(CellFault) -> LivePlace {
        guard let page = message.text("page"), let assets = message.text("assets"),
            let begin = message.text("begin")
        else { throw CellFault("a place has no address") }
        return LivePlace(try options(message), page: page, begin: begin, assets: assets)
    }

    static func options(_ message: CellMessage) throws(CellFault) -> PageOptions {
        let lengths = message.head["viewport"]?.array?.compactMap(\.double) ?? []
        guard lengths.count == 6, let scale = message.integer("scale"), 1...3 ~= scale,
            let direction = message.text("direction").flatMap({ Viewport.Direction(rawValue: $0) }),
            let textSize = message.text("textSize").flatMap({ Viewport.TextSize(rawValue: $0) }),
            let darkness = message.text("darkness").flatMap({ Viewport.Scheme(rawValue: $0) })
        else { throw CellFault("a viewport is not complete") }
        let area = Insets(top: lengths[2], leading: lengths[3], bottom: lengths[4], trailing: lengths[5])
        var options = PageOptions(
            viewport: Viewport(
                size: Size(width: lengths[0], height: lengths[1]), scale: scale, safeArea: area,
                direction: direction, scheme: darkness, textSize: textSize))
        options.sheets = message.head["sheets"]?.array?.compactMap(\.string) ?? []
        options.ways = message.head["ways"]?.array?.compactMap(way) ?? []
        options.letter = message.text("letter") ?? options.letter
        options.locale = message.text("locale") ?? ""
        options.pictureFolder = message.text("pictures") ?? ""
        options.scheme = message.text("scheme").flatMap { Viewport.Scheme(rawValue: $0) }
        return options
    }
}
