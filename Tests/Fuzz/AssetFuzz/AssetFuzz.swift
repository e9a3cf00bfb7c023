import WidgetAssetCatalog

/// Any bytes give a catalogue whose images have the pixels they declare, or a refusal; never a trap, and never more
/// memory than the limits allow.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAssets(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let limits = AssetLimits(pixelCount: 1 << 12, expandedByteCount: 1 << 16)
    if AppleImage.begins(bytes) {
        do {
            let plain = try AppleImage.transcoded(bytes, limits: limits)
            precondition(!AppleImage.begins(plain), "a packed image stays packed")
        } catch {
            _ = error.description
        }
        return 0
    }
    if JPEGImage.begins(bytes) {
        do {
            let bitmap = try JPEGImage.decoded(bytes, limits: limits)
            precondition(bitmap.pixels.count == bitmap.width * bitmap.height * 4, "pixels are missing")
        } catch {
            _ = error.description
        }
        return 0
    }
    if PNGImage.begins(bytes) {
        do {
            let bitmap = try PNGImage.decoded(bytes, limits: limits)
            precondition(bitmap.pixels.count == bitmap.width * bitmap.height * 4, "pixels are missing")
            precondition(JPEGEncoder.encoded(bitmap, quality: 0.5) != nil, "a small picture is not encoded")
        } catch {
            _ = error.description
        }
        return 0
    }
    do {
        let catalog = try CompiledCatalog(parsing: bytes, limits: limits)
        for rendition in catalog.renditions.prefix(16) {
            do {
                let bitmap = try catalog.bitmap(of: rendition)
                precondition(bitmap.pixels.count == bitmap.width * bitmap.height * 4, "pixels are missing")
                _ = try bitmap.png()
            } catch {
                _ = error.description
            }
            do {
                let file = try catalog.file(of: rendition)
                precondition(file.count <= limits.expandedByteCount + count, "a file is larger than allowed")
            } catch {
                _ = error.description
            }
        }
    } catch {
        _ = error.description
    }
    return 0
}
