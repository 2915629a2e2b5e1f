import { installMachine, missingPrograms } from './lib/machine.mjs'
import { ensurePackages } from './lib/packages.mjs'

/** Installs the system programs that `npm test` needs: on Debian as root, elsewhere it says what to install by hand. */

await ensurePackages()
await installMachine()
const missing = await missingPrograms()
if (missing.length > 0) {
  console.error(`Установите сами: ${missing.join(', ')}`)
  process.exit(1)
}
console.log('Всё, что нужно тестам, установлено.')
