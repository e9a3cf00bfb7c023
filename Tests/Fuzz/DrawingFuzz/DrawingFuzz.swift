import WidgetAssetCatalog
import WidgetDrawings

/// Any bytes give a drawing whose bitmaps have the pixels of its size, or a refusal; never a trap, and never more work or
/// memory than the limits allow. The same bytes give the same pixels.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDrawings(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let limits = DrawingLimits(
        byteCount: 1 << 16, elementCount: 2_000, segmentCount: 4_000, pixelCount: 1 << 12, layerPixelCount: 1 << 14,
        work: 1_000_000)
    do {
        let drawing = try Drawing(parsing: bytes, limits: limits)
        precondition(drawing.width > 0 && drawing.height > 0, "a drawing has no size")
        for scale in [1.0, 3] {
            do {
                let bitmap = try drawing.bitmap(scale: scale, limits: limits)
                precondition(bitmap.pixels.count == bitmap.width * bitmap.height * 4, "pixels are missing")
                precondition(bitmap.width * bitmap.height <= limits.pixelCount, "a bitmap is larger than allowed")
                let again = try drawing.bitmap(scale: scale, limits: limits)
                precondition(again == bitmap, "pixels differ")
            } catch {
                _ = error.description
            }
        }
    } catch {
        _ = error.description
    }
    return 0
}
