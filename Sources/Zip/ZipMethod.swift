/// How an entry's data is written; the two methods of ISO/IEC 21320-1.
package enum ZipMethod: UInt16, Equatable, Sendable {
    case stored = 0
    case deflate = 8
}
