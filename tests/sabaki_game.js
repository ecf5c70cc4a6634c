// A whole analysed game through Sabaki's own GTP code, in the order in which Sabaki sends commands.
// Usage: node sabaki_game.js PATH_TO_@sabaki/gtp PROGRAM ARGUMENT...
// Prints a summary as JSON; whatever goes wrong ends it with an error.

const assert = require('assert')
const [, , packagePath, program, ...args] = process.argv
const {Controller, ControllerStateTracker} = require(packagePath)

const SIZE = 7
const KOMI = 8.5
const MOST_MOVES = 40

const controller = new Controller(program, args)
const tracker = new ControllerStateTracker(controller)
const summary = {moves: [], updates: 0, aborts: 0, slowestAbort: 0, undos: 0, stderr: []}

controller.on('stderr', ({content}) => summary.stderr.push(content))

async function ask(name, ...words) {
  const response = await controller.sendCommand({name, args: words})
  assert(!response.error, `${name}: ${response.content}`)
  return response.content
}

// What a GUI must find in a line: entries of keys and values in turn, then a variation.
function checkUpdate(line, isKata) {
  for (const entry of line.split(/\s*info\s+/).slice(1)) {
    const variation = entry.match(/ pv ((?:[A-HJ][1-9]|pass)(?: (?:[A-HJ][1-9]|pass))*)$/)
    assert(variation, entry)
    const words = entry.slice(0, variation.index).split(' ')
    assert.strictEqual(words.length % 2, 0, entry)
    const fields = {}
    for (let i = 0; i < words.length; i += 2) fields[words[i]] = words[i + 1]
    assert.strictEqual(fields.move, variation[1].split(' ')[0])
    assert.strictEqual(fields.winrate.includes('.'), isKata, entry)
    const rate = +fields.winrate / (isKata ? 1 : 10000)
    assert(rate >= 0 && rate <= 1, entry)
    assert(Number.isInteger(+fields.visits), entry)
    if (isKata) assert(Number.isFinite(+fields.scoreLead), entry)
  }
}

// Analyse until some updates have come, then abort as Sabaki does: by asking for the protocol.
async function analyze(name, color) {
  let updates = 0
  let done
  const seen = new Promise(resolve => (done = resolve))
  const ended = controller.sendCommand({name, args: [color, '5']}, ({line}) => {
    if (!line.startsWith('info ')) return
    checkUpdate(line, name.startsWith('kata'))
    if (++updates >= 2) done()
  })
  await seen
  const started = Date.now()
  const version = ask('protocol_version')
  const response = await ended
  summary.slowestAbort = Math.max(summary.slowestAbort, Date.now() - started)
  assert(!response.error)
  assert.strictEqual(await version, '2')
  summary.updates += updates
  summary.aborts += 1
}

async function generate(name, color) {
  let move = null
  let updates = 0
  const response = await controller.sendCommand({name, args: [color, '5']}, ({line}) => {
    if (line.startsWith('info ')) {
      updates += 1
      checkUpdate(line, name.startsWith('kata'))
    }
    if (line.startsWith('play ')) move = line.slice(5)
  })
  assert(!response.error)
  assert(updates > 0)
  assert(move != null)
  return move
}

async function main() {
  const started = Date.now()
  const [name, , protocol, list] = await Promise.all(
    ['name', 'version', 'protocol_version', 'list_commands'].map(word => ask(word))
  )
  assert.strictEqual(protocol, '2')
  const commands = list.split('\n')
  for (const word of ['kata-genmove_analyze', 'kata-analyze', 'undo', 'set_free_handicap'])
    assert(commands.includes(word), word)
  assert(!commands.includes('analyze') && !commands.includes('genmove_analyze'))
  summary.name = name
  summary.start = Date.now() - started

  const history = []
  const sync = moves => tracker.sync({komi: KOMI, boardsize: [SIZE, SIZE], history: moves})
  let passes = 0
  while (passes < 2 && history.length < MOST_MOVES) {
    const color = history.length % 2 === 0 ? 'B' : 'W'
    await sync(history)
    if (history.length % 5 === 0) await analyze('kata-analyze', color)
    if (history.length % 7 === 0) await analyze('lz-analyze', color)
    if (history.length % 6 === 5) {
      await sync(history.slice(0, -2)) // back two moves, and a look around there
      await analyze('kata-analyze', color)
      await sync(history)
      summary.undos += 1
    }
    const form = history.length % 2 === 0 ? 'kata-genmove_analyze' : 'lz-genmove_analyze'
    const move = await generate(form, color)
    summary.moves.push(move)
    if (move === 'resign') break
    passes = move === 'pass' ? passes + 1 : 0
    history.push({name: 'play', args: [color, move]})
    await new Promise(resolve => setTimeout(resolve, 0)) // the tracker learns of the move
    assert.strictEqual(tracker.state.history.length, history.length)
  }

  // Another game, with handicap, on another board.
  const handicap = {name: 'set_free_handicap', args: ['C3', 'G7']}
  const plays = [handicap, {name: 'play', args: ['W', 'E5']}]
  await tracker.sync({komi: 0.5, boardsize: [9, 9], history: plays})
  await analyze('kata-analyze', 'B')
  assert.strictEqual((await ask('list_stones', 'b')).split(' ').length, 2)

  const stopped = Date.now()
  await controller.stop(3000)
  summary.quit = Date.now() - stopped
  console.log(JSON.stringify(summary))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
