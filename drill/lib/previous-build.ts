import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Builds of earlier versions stay here, by their commit: building one takes a minute. */
const FOLDER = '.cache/previous'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

/**
 * The commit of the last release, set by the commit that follows it. The next release must run beside it on one database
 * (docs/decisions/032-rolling-upgrades.md).
 */
export const LAST_RELEASE = 'aee9ebbf'

export function buildPrevious(version: string): string {
  const commit = git('rev-parse', '--verify', `${version}^{commit}`)
  const build = join(FOLDER, commit)
  if (existsSync(build)) return build
  const sources = resolve(FOLDER, `sources-${commit}`)
  rmSync(sources, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  git('worktree', 'prune')
  git('worktree', 'add', '--detach', sources, commit)
  try {
    givePackages(sources)
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] })
    cpSync(join(sources, 'dist'), build, { recursive: true })
  } finally {
    git('worktree', 'remove', '--force', sources)
  }
  return build
}

const INSTALL = ['--no-save', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']

/** Links the installed packages if the lockfile is the same, else installs its own. */
function givePackages(sources: string): void {
  const lockIn = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (lockIn(sources) === lockIn('.')) symlinkSync(resolve('node_modules'), join(sources, 'node_modules'))
  // Not `npm ci`, for the reason given in scripts/lib/packages.mjs.
  else execFileSync('npm', ['install', ...INSTALL], { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] })
}
