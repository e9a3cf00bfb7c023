@_spi(_Unicode) import Swift

/// The proof that no two names mean the same place: not after case folding, not as a file and a directory.
///
/// Every name and every directory implied by one is hashed in its folded form; names that share a hash must be the
/// same directory, spelled the same. (The hash is seeded and has 64 bits: an attacker cannot prepare a collision, and
/// an accidental one would only refuse an archive.)
enum ZipNameConflicts {
    private struct Place {
        var hash: Int
        var index: Int32
        private var extent: Int32

        init(hash: Int, index: Int, byteCount: Int, isImplied: Bool) {
            self.hash = hash
            self.index = Int32(index)
            extent = Int32(byteCount) << 1 | (isImplied ? 1 : 0)
        }

        /// Bytes of the path up to this place.
        var byteCount: Int { Int(extent >> 1) }
        var isImplied: Bool { extent & 1 == 1 }
    }

    static func requireNone(_ names: [ZipName], rows: [ZipEntryTable.Row]) throws(ZipError) {
        var places: [Place] = []
        // As many as there can be: growing would hold them twice.
        places.reserveCapacity(names.reduce(0) { $0 + $1.text.utf8.count(where: { $0 == 0x2F }) + 1 })
        var previous = ""
        for (index, name) in names.enumerated() {
            append(name, index, after: previous, to: &places)
            previous = name.text
        }
        places.sort { ($0.hash, $0.index, $0.byteCount) < ($1.hash, $1.index, $1.byteCount) }
        // The named conflict must not depend on the seed: it is the first in the directory.
        var found: (first: Place, second: Place)?
        var start = 0
        for position in places.indices.dropFirst() {
            if places[position].hash != places[start].hash {
                start = position
                continue
            }
            let first = places[start]
            let second = places[position]
            if conflict(first, second, names), found.map({ second.index < $0.second.index }) ?? true {
                found = (first, second)
            } else if !second.isImplied, first.isImplied {
                // The explicit entry represents the group from here on, so that a second one is seen.
                places[start] = second
            }
        }
        guard let found else { return }
        let first = names[Int(found.first.index)]
        let second = names[Int(found.second.index)]
        let sameKind = isDirectory(found.first, names) == isDirectory(found.second, names)
        throw ZipError(
            sameKind ? .duplicateName(first: first.text) : .fileIsAlsoDirectory(other: first.text), entry: second.text,
            at: rows[Int(found.second.index)].recordOffset)
    }

    /// Adds the name and the directories it implies, except those the name before it implied too.
    private static func append(_ name: ZipName, _ index: Int, after previous: String, to places: inout [Place]) {
        let isDirectory = name.isDirectory
        let bytes = isDirectory ? name.text.utf8.dropLast() : name.text.utf8[...]
        let shared = zip(bytes, previous.utf8).prefix { $0 == $1 }.count
        var hasher = Hasher()
        var length = 0
        for component in bytes.split(separator: 0x2F) {
            if length > 0 {
                if shared <= length {
                    places.append(Place(hash: hasher.finalized, index: index, byteCount: length, isImplied: true))
                }
                hasher.combine(UInt8(0x2F))
                length += 1
            }
            combine(component, into: &hasher)
            length += component.count
        }
        places.append(Place(hash: hasher.finalized, index: index, byteCount: length, isImplied: false))
    }

    private static func conflict(_ first: Place, _ second: Place, _ names: [ZipName]) -> Bool {
        let isSpelledTheSame = spelling(first, names).elementsEqual(spelling(second, names))
        if first.isImplied || second.isImplied {
            return !isSpelledTheSame || !isDirectory(first, names) || !isDirectory(second, names)
        }
        return true
    }

    private static func isDirectory(_ place: Place, _ names: [ZipName]) -> Bool {
        place.isImplied || names[Int(place.index)].isDirectory
    }

    private static func spelling(_ place: Place, _ names: [ZipName]) -> Substring.UTF8View {
        names[Int(place.index)].text.utf8.prefix(place.byteCount)
    }

    /// Folds a component and feeds it to the hash.
    private static func combine(_ component: Substring.UTF8View, into hasher: inout Hasher) {
        if component.allSatisfy({ $0 < 0x80 }) {
            combine(bytes: component, into: &hasher)
        } else {
            combine(bytes: folded(String(Substring(component))).utf8, into: &hasher)
        }
    }

    /// Eight bytes at a time, with capital letters made small.
    private static func combine(bytes: some Sequence<UInt8>, into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        for byte in bytes {
            word = word << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            count += 1
            if count % 8 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }

    /// The component without case, decomposed.
    ///
    /// Lower, upper and lower again brings together what full case folding does (ß and SS, the three sigmas,
    /// the long s, the Kelvin sign), and dotless i with i besides.
    static func folded(_ component: String) -> String {
        var text = ""
        for scalar in component.lowercased().uppercased().lowercased()._nfd { text.unicodeScalars.append(scalar) }
        return text
    }
}

extension Hasher {
    /// The hash so far; more may be combined into the original.
    fileprivate var finalized: Int { finalize() }
}
