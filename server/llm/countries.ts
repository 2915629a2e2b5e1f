import { type ProviderKeys, usualCountry } from './profile.ts'

const CODE = /^[A-Z]{2}$/

interface CountryInput {
  configured: ProviderKeys[]
  problems: string[]
}

/** Adds the countries: `OPENAI_COUNTRY`, `PROVIDER_<NAME>_COUNTRY`, else what is known of the kind and the address. */
export function withCountries(env: NodeJS.ProcessEnv, { configured, problems }: CountryInput): CountryInput {
  const wrong: string[] = []
  const located = configured.map((provider) => {
    const setting = `${provider.name === 'openai' ? 'OPENAI' : `PROVIDER_${provider.name.toUpperCase()}`}_COUNTRY`
    const set = env[setting]?.trim().toUpperCase()
    if (set && !CODE.test(set)) wrong.push(`${setting}: нужны две латинские буквы страны, например RU`)
    return { ...provider, country: set || usualCountry(provider) }
  })
  return { configured: located, problems: [...problems, ...wrong] }
}
