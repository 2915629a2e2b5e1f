import { readConfig } from '#server/config.ts'
import { readArchiveArgs } from './args.ts'
import { runCommand } from './commands.ts'
import { sentenceFor } from './sentences.ts'
import { removeTemporaryNow } from './temporary.ts'

/** Archives, backups and the move to Postgres from the command line; exits with 1 when something is wrong. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 }
for (const [signal, code] of Object.entries(SIGNALS))
  process.once(signal, () => {
    removeTemporaryNow()
    process.stderr.write('Прервано. Недописанное не считается архивом; команду можно повторить.\n')
    process.exit(code)
  })
try {
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  process.exit((await runCommand(readArchiveArgs(process.argv.slice(2)), readConfig(), say)) ? 0 : 1)
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`)
  removeTemporaryNow()
  process.exit(1)
}
