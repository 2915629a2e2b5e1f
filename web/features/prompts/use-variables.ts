import { useMemo, useState } from 'react'
import { fillPrompt, initialValues, parsePrompt, type Variable, valueProblem } from '#contract/prompt-variables.ts'

/** The form state of the variables of a prompt. */
export function useVariables(content: string) {
  const { pieces: parts, variables } = useMemo(() => parsePrompt(content), [content])
  const [values, setValues] = useState(() => initialValues(variables, today()))
  const [isTried, setTried] = useState(false)
  const given = ({ key }: Variable) => values.get(key) ?? ''

  return {
    parts,
    variables,
    values,
    given,
    change: (key: string, value: string) => setValues((before) => new Map(before).set(key, value)),
    /** Null until the first submit. */
    problemOf: (variable: Variable) => (isTried ? valueProblem(variable, given(variable)) : null),
    /** The filled text, or null and errors beside the missing fields. */
    fill: (): string | null => {
      setTried(true)
      const isWhole = variables.every((variable) => valueProblem(variable, given(variable)) === null)
      return isWhole ? fillPrompt(content, values) : null
    },
  }
}

/** Today in the local time zone, as 2026-12-31. */
function today(): string {
  return new Date().toLocaleDateString('sv')
}
