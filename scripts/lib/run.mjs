import { spawn } from 'node:child_process'

export async function run(command, args, options = {}) {
  const code = await exitCode(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** The command ends with this process, too. */
export function exitCode(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const end = () => child.kill()
    process.once('exit', end)
    child.once('error', fail)
    child.once('exit', (code, signal) => {
      process.off('exit', end)
      done(code ?? (signal ? 1 : 0))
    })
  })
}
