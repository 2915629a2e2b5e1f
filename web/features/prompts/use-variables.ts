import { useMemo, useState } from 'react'
import { fillPrompt, initialValues, parsePrompt, type Variable, valueProblem } from '#contract/prompt-variables.ts'

/** The variables of a prompt while they are being filled. */
export function useVariables(content: string) {
  const { parts: pieces, variables } = useMemo(() => parsePrompt(content), [content])
  const [values, setValues] = useState(() => initialValues(variables, today()))
  const [isTried, setTried] = useState(false)
  const given = ({ key }: Variable) => values.get(key) ?? ''

  return {
    pieces,
    variables,
    values,
    given,
    change: (key: string, value: string) => setValues((before) => new Map(before).set(key, value)),
    /** Said only after somebody has tried to go on. */
    problemOf: (variable: Variable) => (isTried ? valueProblem(variable, given(variable)) : null),
    /** The text, or null while something is missing; then it is said beside its field. */
    fill: (): string | null => {
      setTried(true)
      const isWhole = variables.every((variable) => valueProblem(variable, given(variable)) === null)
      return isWhole ? fillPrompt(content, values) : null
    },
  }
}

/** The day where the person is, as 2026-12-31. */
function today(): string {
  return new Date().toLocaleDateString('sv')
}
