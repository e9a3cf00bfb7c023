/// The tables of ITU-T T.81, annex K, that most encoders use.
enum JPEGTables {
    /// Factors of brightness (table K.1), row by row.
    static let brightness = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29,
        51,
        87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120,
        101,
        72, 92, 95, 98, 112, 100, 103, 99,
    ]

    /// Factors of colour (table K.2), row by row.
    static let color =
        [17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66]
        + [Int](repeating: 99, count: 38)

    /// The places of a block from low frequencies to high ones (figure A.6).
    static let order: [Int] = {
        var order: [Int] = []
        for diagonal in 0..<15 {
            let rows = max(0, diagonal - 7)...min(7, diagonal)
            let places = rows.map { $0 * 8 + diagonal - $0 }
            order += diagonal.isMultiple(of: 2) ? places.reversed() : places
        }
        return order
    }()

    /// For each frequency the weight of each place.
    static let cosines: [Double] = (0..<64).map { place in
        let (frequency, x) = (place / 8, place % 8)
        return (frequency == 0 ? 0.5 * quarter[4] : 0.5) * cosine((2 * x + 1) * frequency)
    }

    /// The cosines of multiples of a sixteenth of half a turn, up to a quarter.
    private static let quarter = [
        1, 0.980_785_280_403_230_4, 0.923_879_532_511_286_7, 0.831_469_612_302_545_2, 0.707_106_781_186_547_5,
        0.555_570_233_019_602_2, 0.382_683_432_365_089_8, 0.195_090_322_016_128_3, 0,
    ]

    private static func cosine(_ sixteenths: Int) -> Double {
        let turn = sixteenths % 32
        let half = turn > 16 ? 32 - turn : turn
        return half > 8 ? -quarter[16 - half] : quarter[half]
    }

    /// The prefix codes of brightness and colour, of means and of other numbers each (tables K.3 to K.6).
    static let codes: [(counts: [UInt8], symbols: [UInt8])] = [
        ([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], Array(0...11)),
        (
            [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D],
            [
                0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22,
                0x71,
                0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62,
                0x72,
                0x82,
            ]
                + rest([
                    (0x09, 2), (0x16, 5), (0x25, 6), (0x34, 7), (0x43, 8), (0x53, 8), (0x63, 8), (0x73, 8), (0x83, 8),
                ])
                + rest(
                    [(0x92, 9), (0xA2, 9), (0xB2, 9), (0xC2, 9), (0xD2, 9), (0xE1, 10), (0xF1, 10)])
        ),
        ([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], Array(0...11)),
        (
            [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77],
            [
                0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13,
                0x22,
                0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72,
                0xD1,
                0x0A, 0x16, 0x24, 0x34, 0xE1,
            ]
                + rest([
                    (0x25, 1), (0xF1, 1), (0x17, 4), (0x26, 5), (0x35, 6), (0x43, 8), (0x53, 8), (0x63, 8), (0x73, 8),
                ])
                + rest(
                    [(0x82, 9), (0x92, 9), (0xA2, 9), (0xB2, 9), (0xC2, 9), (0xD2, 9), (0xE2, 9), (0xF2, 9)])
        ),
    ]

    /// The symbols of the longest codes are consecutive numbers.
    private static func rest(_ runs: [(first: UInt8, count: UInt8)]) -> [UInt8] {
        runs.flatMap { run in (0..<run.count).map { run.first + $0 } }
    }
}
