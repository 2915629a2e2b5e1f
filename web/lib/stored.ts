/** Checks of what this browser has stored: another build may have written it, or an extension of the browser. */

type Kind = 'string' | 'number' | 'boolean' | 'object'

/** The stored JSON; null when there is none or it cannot be read. */
export function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Whether the value has these fields, none of them null. Fields that are not named may be anything. */
export function hasFields<Value extends object>(
  value: unknown,
  fields: { [Name in keyof Value]?: Kind },
): value is Value {
  if (typeof value !== 'object' || value === null) return false
  const given = value as Record<string, unknown>
  return Object.entries(fields).every(([name, kind]) => typeof given[name] === kind && given[name] !== null)
}
