import Testing
import WidgetAssetCatalog

@testable import WidgetDrawings

/// Goal: no bytes stop the program or take more than the limits. Method: drawings at each limit, and a few thousand
/// changed at random from a seed.
@Suite struct `Hostile drawings` {
    static let limits = DrawingLimits(
        byteCount: 1 << 16, elementCount: 2_000, segmentCount: 4_000, pixelCount: 1 << 14, layerPixelCount: 1 << 16,
        work: 2_000_000)

    static func error(_ bytes: [UInt8], _ limits: DrawingLimits = limits) -> DrawingError? {
        do throws(DrawingError) {
            _ = try Drawing(parsing: bytes, limits: limits).bitmap(scale: 1, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    static func svg(_ elements: String, size: Int = 100) -> [UInt8] {
        Array("<svg viewBox='0 0 \(size) \(size)'>\(elements)</svg>".utf8)
    }

    static func limit(_ bytes: [UInt8]) -> DrawingLimits.Name? {
        if case .limitReached(let name, _) = error(bytes)?.reason { name } else { nil }
    }

    @Test func `Each limit is a refusal by its name`() {
        #expect(Self.limit(Self.svg(String(repeating: " ", count: 1 << 16))) == .byteCount)
        let doubling = (0..<30).map { "<g id='a\($0 + 1)'><use href='#a\($0)'/><use href='#a\($0)'/></g>" }.joined()
        #expect(Self.limit(Self.svg("<defs><g id='a0'/>\(doubling)</defs><use href='#a30'/>")) != nil)
        #expect(Self.limit(Self.svg("<g id='a'><use href='#a'/></g>")) == .depth)
        #expect(
            Self.limit(Self.svg(String(repeating: "<g>", count: 60) + String(repeating: "</g>", count: 60))) == .depth)
        #expect(Self.limit(Self.svg("<path d='M0 0\(String(repeating: "h1", count: 5_000))'/>")) == .segmentCount)
        #expect(Self.limit(Self.svg("", size: 1_000)) == .pixelCount)
        #expect(
            Self.limit(
                Self.svg(
                    String(repeating: "<g opacity='.5'>", count: 9) + "<rect width='9' height='9'/>"
                        + String(repeating: "</g>", count: 9))) == .layerPixelCount)
        #expect(Self.limit(Self.svg(String(repeating: "<rect width='100' height='100'/>", count: 700))) == .work)
        #expect(
            Self.limit(Self.svg("<path stroke='red' stroke-dasharray='.0001' d='M0 0H100'/>")) == .work)
    }

    @Test func `Numbers beyond all bounds are refused or drawn somewhere else`() {
        for number in ["1e308", "-1e308", "1e9", "1e-300", "99999999999999999999999", "NaN", "inf", "."] {
            for element in [
                "<path d='M\(number) 0L9 \(number)A\(number) 1 \(number) 1 1 5 5z'/>",
                "<rect width='\(number)' height='9' rx='\(number)' stroke='red' stroke-width='\(number)'/>",
                "<circle r='\(number)' transform='scale(\(number)) rotate(\(number)) skewX(\(number))'/>",
                "<linearGradient id='g' x1='\(number)' gradientTransform='scale(\(number))'><stop/><stop offset='\(number)'/>"
                    + "</linearGradient><rect width='9' height='9' fill='url(#g)'/>",
                "<path stroke='red' stroke-dasharray='\(number) 1' stroke-dashoffset='\(number)' d='M0 0h9'/>",
            ] { _ = Self.error(Self.svg(element)) }
            _ = Self.error(Array("<svg width='\(number)' height='\(number)' viewBox='0 0 \(number) 1'/>".utf8))
            _ = Self.error(WrittenPDF(content: "\(number) 0 0 1 0 0 cm \(number) w 0 0 m 9 \(number) l S").bytes())
        }
    }

    @Test func `A table that leads back to itself, and objects that need themselves, end`() {
        let plain = WrittenPDF(content: "0 0 9 9 re f", trailer: "/Prev 15").bytes()
        _ = Self.error(plain)
        let cycle = WrittenPDF(
            content: "/F Do", resources: "/XObject << /F 5 0 R >>",
            objects: ["<< /Subtype /Form /BBox [0 0 9 9] /Length 5 >>\nstream\n/F Do\nendstream"])
        #expect(Self.error(cycle.bytes())?.reason == .limitReached(.depth, limit: 48))
        let needy = WrittenPDF(content: "", objects: ["5 0 R"], page: "/Rotate 5 0 R")
        #expect(Self.error(needy.bytes()) != nil)
    }

    @Test(arguments: [1, 2, 3, 4]) func `Drawings changed at random are drawn or refused`(_ seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(count, 1)
        }
        let samples = [
            Self.svg(
                "<style>.a{fill:red}</style><g transform='rotate(9)' opacity='.5'><path class='a' stroke='#0f0' "
                    + "stroke-width='3' stroke-dasharray='3 1' d='M1 1Q5 9 20 20C1 2 3 4 50 60a5 9 3 0 1 9 9z'/></g>"
                    + "<clipPath id='c'><circle r='40'/></clipPath><linearGradient id='g'><stop/><stop offset='1'/>"
                    + "</linearGradient><rect width='50' height='50' rx='5' fill='url(#g)' clip-path='url(#c)'/>"),
            WrittenPDF(content: "q 2 0 0 1 5 5 cm 10 20 30 40 re W n 0 0 1 rg 0 0 m 9 9 1 3 40 40 c b Q").bytes(),
            WrittenPDF(content: "q 2 0 0 1 5 5 cm 10 20 30 40 re W n 0 0 1 rg 0 0 m 9 9 1 3 40 40 c b Q").bytes(
                .packed),
        ]
        for _ in 0..<150 {
            var bytes = samples[random(samples.count)]
            for _ in 0...random(4) {
                let place = random(bytes.count)
                switch random(4) {
                case 0: bytes[place] = UInt8(random(256))
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: Array("\(random(1 << 30))".utf8), at: place)
                default:
                    let end = min(place + random(20), bytes.count)
                    bytes.insert(contentsOf: bytes[place..<end], at: random(bytes.count))
                }
            }
            _ = Self.error(bytes)
        }
    }
}
