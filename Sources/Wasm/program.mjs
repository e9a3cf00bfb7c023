// `engine.mjs` in node: a module, by the names that follow, and a program, `node engine.mjs render BUNDLE.zip …`, with the options
// of `widget render`.
export { Engine, EngineFault, EngineInstance, EngineWidget, grant }

/** The most bytes of a picture or a film, of a script and of a file of zones. */
const limits = { media: (8 << 20) + 1, script: (1 << 20) + 1, zone: 64 << 10, archive: (100 << 20) + 1 }

/** The bytes of a file; nothing for what is not one, or is too long. */
async function fileBytes(path, limit, fs) {
  const file = await fs.open(path)
  try {
    const status = await file.stat()
    if (!status.isFile()) return undefined
    const bytes = new Uint8Array(Math.min(status.size, limit))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled)
      if (!bytesRead) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } finally {
    await file.close()
  }
}

/** The pictures and films that a script picks. The engine says what is wrong with the script, and which file it lacks. */
async function pickedFiles(script, fs) {
  const files = {}
  let steps = []
  try {
    steps = JSON.parse(decoder.decode(script))
  } catch {
    return files
  }
  for (const step of Array.isArray(steps) ? steps : []) {
    const isMedia = typeof step?.file == 'string' && /\.(jpe?g|png|gif|heic|webp|mov|mp4|m4v)$/i.test(step.file)
    if (!isMedia) continue
    files[step.file] = await fileBytes(step.file, limits.media, fs).catch(() => undefined)
  }
  return files
}

async function zoneFile(text, fs) {
  const name = text?.replace(/^:/, '')
  const isName = name?.split('/').every((part) => /^[A-Za-z0-9+_-][A-Za-z0-9+_.-]*$/.test(part))
  if (name !== undefined && !isName && !name.startsWith('/')) return undefined
  const path = name === undefined ? '/etc/localtime' : name.startsWith('/') ? name : `/usr/share/zoneinfo/${name}`
  return fileBytes(path, limits.zone + 1, fs).catch(() => undefined)
}

function option(words, name) {
  for (const [place, word] of words.entries()) {
    if (word == `--${name}` || (name == 'output' && word == '-o')) return words[place + 1]
    if (word.startsWith(`--${name}=`)) return word.slice(name.length + 3)
  }
  return undefined
}

/** The first line of the sheet by which a folder of pages is known. */
const mark = (files, names) => decoder.decode(files[names.indexOf('base.css')].subarray(0, 24))

/** Writes pages and what they refer to. A folder with other files is left as it is, unless that is forced. */
async function writeFolder(folder, names, files, isForced, fs) {
  await fs.mkdir(folder, { recursive: true })
  const found = (await fs.readdir(folder)).sort()
  const isOurs = found.includes('base.css')
    && (await fs.readFile(`${folder}/base.css`, 'utf8')).startsWith(mark(files, names))
  const isPage = (name) => /^\.new-|^(index|screen-\d+)\.html$|^[0-9a-f]+\.(css|png|jpg|gif|webp)$|^(base|screen)\.css$/.test(name)
  const other = isOurs ? found.find((name) => !names.includes(name) && !isPage(name)) : found[0]
  if (other !== undefined && !isForced) {
    throw new EngineFault('failed', `${folder} has a file that is not of pages: ${other}`, [
      '`-o FOLDER` can name a new folder; --force writes into this one and keeps its other files',
    ])
  }
  // Sheets and pictures come first and pages last, so that a page never lacks what it refers to.
  for (const [place, name] of names.entries()) {
    await fs.writeFile(`${folder}/.new-${name}`, files[place])
    await fs.rename(`${folder}/.new-${name}`, `${folder}/${name}`)
  }
  // What an earlier run has written, and these pages do not need. Another's files are kept where they were let stay.
  for (const name of isForced ? [] : found) if (!names.includes(name)) await fs.rm(`${folder}/${name}`)
}

function complain(error) {
  const lines = [`error: ${error.message}`, ...(error.hints ?? []).map((hint) => `hint: ${hint}`)]
  process.stderr.write(lines.join('\n') + '\n')
}

/** The archive and the other files that a command line names. */
async function inputs(words, subject, fs) {
  const archive = await fileBytes(subject, limits.archive, fs).catch((error) => {
    throw new EngineFault('failed', `${subject}: ${error.code == 'ENOENT' ? 'there is no such file' : error.code}`)
  })
  if (!archive) throw new EngineFault('failed', `${subject}: it is not a file`, ['`widget build` makes an archive of a folder'])
  const events = option(words, 'events')
  const script = events === undefined ? undefined
    : new Uint8Array(await fs.readFile(events == '-' ? '/dev/stdin' : events).catch((error) => {
      throw new EngineFault('failed', `${events}: ${error.code == 'ENOENT' ? 'there is no such file' : error.code}`)
    })).subarray(0, limits.script)
  const named = option(words, 'time-zone')
  const isUsual = named === undefined && events === undefined && option(words, 'clock') === undefined
  const zone = named !== undefined || isUsual ? await zoneFile(named ?? process.env.TZ, fs) : undefined
  return { archive, script, zone }
}

/** The whole program: `render` and `inspect`. Returns its exit code. */
async function main(words) {
  const fs = await import('node:fs/promises')
  const [command, ...rest] = words
  const subject = rest.find((word, place) => !word.startsWith('-') && !takesValue(rest[place - 1]))
  if ((command != 'render' && command != 'inspect') || !subject) {
    complain(new EngineFault('misuse', command == 'render' || command == 'inspect' ? 'no bundle is named' : 'no command is named',
      ['node engine.mjs render BUNDLE.zip [--as json …]']))
    return 2
  }
  try {
    const engine = await Engine.load(await fs.readFile(new URL('engine.wasm', import.meta.url)))
    const files = await inputs(rest, subject, fs)
    if (command == 'inspect') {
      const report = engine.instance().call('inspect', {}, { archive: files.archive }).pieces[0]
      await new Promise((done) => process.stdout.write(report, done))
      return 0
    }
    const media = {}
    const count = Object.values(files).filter((piece) => piece !== undefined).length
    const picked = Object.entries(files.script ? await pickedFiles(files.script, fs) : {})
    for (const [path, bytes] of picked.filter(([, bytes]) => bytes)) {
      media[path] = count + Object.keys(media).length
      files[` ${path}`] = bytes
    }
    const settings = {
      arguments: rest, now: EngineWidget.moment(), media, 'usual-zone': process.env.TZ?.replace(/^:/, '') ?? '',
    }
    const answer = engine.instance().call('render', settings, files)
    const [output, errors, ...written] = answer.pieces
    process.stderr.write(errors)
    if (written.length) await writeFolder(option(rest, 'output'), answer.files, written, rest.includes('--force'), fs)
    await new Promise((done) => process.stdout.write(output, done))
    return answer.code
  } catch (error) {
    complain(error)
    return 1
  }
}

/** True for an option that takes the word behind it. */
function takesValue(word = '') {
  const flags = ['--json', '--force', '--screens', '--explain', '--development']
  return word == '-o' || (word.startsWith('--') && !word.includes('=') && !flags.includes(word))
}

/** True where node was started with this file, also by another name that leads to it. */
async function isProgram() {
  if (typeof process != 'object' || !process.argv?.[1]) return false
  const [{ realpathSync }, { pathToFileURL }] = [await import('node:fs'), await import('node:url')]
  try {
    return pathToFileURL(realpathSync(process.argv[1])).href == import.meta.url
  } catch {
    return false
  }
}

if (await isProgram()) process.exitCode = await main(process.argv.slice(2))
