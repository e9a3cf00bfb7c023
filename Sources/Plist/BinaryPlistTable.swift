/// The objects of a binary property list that is about to be written, in their order, each referring to others by
/// number.
struct BinaryPlistTable {
    enum Object: Hashable {
        /// The first byte, without the count of text and data, and the bytes behind it.
        case scalar(marker: UInt8, bytes: [UInt8])
        case array([UInt32])
        case dictionary(keys: [UInt32], values: [UInt32])
    }

    var objects: [Object] = []
}
