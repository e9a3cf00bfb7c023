/// Numbers that hosts and followers have seen must not come again. When the catalog is replaced, all of them begin
/// anew past whatever was shown: past what is still known of it, and past the seconds since 1970, which rise faster
/// than channels change.
struct Epoch {
    private(set) var number: Int64
    /// What is higher was never given, but read from something damaged.
    static let highest: Int64 = 1 << 48

    init(now: Int64) {
        number = min(max(1, now), Epoch.highest)
    }

    mutating func pass(_ seen: Int64?) {
        guard let seen, seen >= number, seen < Epoch.highest else { return }
        number = seen + 1
    }

    /// Passes what a store's catalog and mark tell, as far as they can be read.
    mutating func pass(_ store: any CatalogReplacement) {
        pass(store.shownTag)
        pass(try? store.former?.highestNumber())
    }
}
