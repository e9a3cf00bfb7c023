// An archive that is made of files that are here, and of ranges of a registry's archive for the others.

const crcTable = Uint32Array.from({ length: 256 }, (_, number) => {
  for (let bit = 0; bit < 8; bit++) number = number & 1 ? 0xEDB88320 ^ (number >>> 1) : number >>> 1
  return number
})

function crc32(bytes) {
  let sum = 0xFFFFFFFF
  for (const byte of bytes) sum = crcTable[(sum ^ byte) & 0xFF] ^ (sum >>> 8)
  return (sum ^ 0xFFFFFFFF) >>> 0
}

/** Raw deflate, without the header of zlib, to a length that is known. */
async function inflated(bytes, size) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const plain = await bodyOf({ body: stream }, size)
  must(plain?.length == size, 'wrongDigest', 'the length of a file')
  return plain
}

const plainOf = ({ method, packed, size }) => (method == 'deflate' ? inflated(packed, size) : packed)

/**
 * The bytes of an archive that has the files of a candidate, and where each is.
 *
 * - held: files that are here, by their digests: `{method, packed, size}`.
 */
async function assembled(candidate, held, address, { sha256, get }) {
  const empty = await sha256(new Uint8Array())
  const missing = candidate.files.filter((file) => file.sha256 != empty && !held.has(file.sha256))
  const cost = missing.reduce((sum, file) => sum + file.compressedSize + 300, 0)
  if (!held.size || cost >= candidate.size || missing.some((file) => !file.compressedSize)) return undefined
  const parts = new Map(held)
  for (const file of missing) parts.set(file.sha256, await fetchedPart(candidate, file, address, { sha256, get }))
  const found = []
  for (const { path, size, sha256: digest } of candidate.files) {
    const part = digest == empty ? { method: 'stored', packed: new Uint8Array(), size: 0 } : parts.get(digest)
    found.push({ path, digest, name: encoder.encode(`${candidate.name}.bundle/${path}`), ...part, size, crc: crc32(await plainOf(part)) })
  }
  return zipped(found)
}

/** A file as a range of the archive. */
async function fetchedPart(candidate, { offset, compressedSize: length, size, method, sha256: digest }, address, { sha256, get }) {
  const [range, tag] = [`${offset}-${offset + length - 1}`, `"sha256-${candidate.sha256}"`]
  const answer = await get(address, { headers: { Range: `bytes=${range}`, 'If-Range': tag }, limit: length, isAnywhere: true })
  const isRight = answer.headers.get('ETag') == tag && answer.headers.get('Content-Range') == `bytes ${range}/${candidate.size}`
  must(answer.status == 206 && isRight && answer.body.length == length, 'transfer', 'a range')
  const part = { method, packed: answer.body, size }
  let plain
  try {
    plain = await plainOf(part)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('wrongDigest', error.message)
  }
  must(await sha256(plain) == digest, 'wrongDigest')
  return part
}

/** A zip archive of files that are packed already. */
function zipped(files) {
  const [parts, central, places] = [[], [], []]
  let place = 0
  const add = (list, bytes) => (list.push(bytes), bytes.length)
  for (const { path, digest, name, method, packed, size, crc } of files) {
    const common = new DataView(new ArrayBuffer(26))
    for (const [at, value] of [[0, 20], [2, 0x800], [4, method == 'deflate' ? 8 : 0], [6, 0], [8, 0x21], [22, name.length]]) {
      common.setUint16(at, value, true)
    }
    for (const [at, value] of [[10, crc], [14, packed.length], [18, size]]) common.setUint32(at, value, true)
    const entry = new DataView(new ArrayBuffer(46))
    entry.setUint32(0, 0x02014B50, true)
    entry.setUint16(4, 20, true)
    new Uint8Array(entry.buffer).set(new Uint8Array(common.buffer), 6)
    entry.setUint32(42, place, true)
    for (const bytes of [new Uint8Array(entry.buffer), name]) add(central, bytes)
    for (const bytes of [encoder.encode('PK\x03\x04'), new Uint8Array(common.buffer), name]) place += add(parts, bytes)
    places.push({ path, sha256: digest, size, method, offset: place, compressedSize: packed.length })
    place += add(parts, packed)
  }
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054B50, true)
  for (const at of [8, 10]) end.setUint16(at, files.length, true)
  end.setUint32(12, central.reduce((sum, bytes) => sum + bytes.length, 0), true)
  end.setUint32(16, place, true)
  return { bytes: joined([...parts, ...central, new Uint8Array(end.buffer)]), files: places }
}
