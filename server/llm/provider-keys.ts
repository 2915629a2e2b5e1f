import type { ProviderKeys } from './providers.ts'

const OPENAI = 'https://api.openai.com/v1'

/** Reads `OPENAI_…` and any number of `PROVIDER_<NAME>_API_KEY` / `PROVIDER_<NAME>_BASE_URL`. */
export function readModelProviders(env: NodeJS.ProcessEnv): { configured: ProviderKeys[]; problems: string[] } {
  const configured: ProviderKeys[] = []
  const problems: string[] = []
  const add = (name: string, prefix: string, apiKey: string | null, baseUrl: string | undefined) => {
    if (baseUrl && URL.canParse(baseUrl)) configured.push({ name, baseUrl, apiKey })
    else problems.push(`${prefix}_BASE_URL: нужен адрес, например https://api.example.ru/v1`)
  }
  if (env.OPENAI_API_KEY || env.OPENAI_BASE_URL) {
    add('openai', 'OPENAI', env.OPENAI_API_KEY || null, env.OPENAI_BASE_URL || OPENAI)
  }
  const names = Object.keys(env).map((key) => /^PROVIDER_([A-Z0-9_]+)_(?:API_KEY|BASE_URL)$/.exec(key)?.[1])
  for (const name of new Set(names.filter((found) => found !== undefined))) {
    const prefix = `PROVIDER_${name}`
    const [apiKey, baseUrl] = [env[`${prefix}_API_KEY`], env[`${prefix}_BASE_URL`]]
    if (apiKey || baseUrl) add(name.toLowerCase(), prefix, apiKey || null, baseUrl)
  }
  return { configured, problems }
}
