import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import {
  CustomTool,
  type ResponsesBody,
  ResponsesFunction,
  ToolNamespace,
  ToolSearch,
} from '#contract/openai-responses.ts'
import type { LlmTool, LlmToolCall } from '#server/llm/llm.ts'
import { functionTool, ONLY_FUNCTIONS } from './chat-request.ts'
import { checkBody } from './door.ts'
import { badField } from './errors.ts'

/**
 * Programs sort their tools into namespaces, have tools that take one text, and a search among tools that they offer
 * later. Models have one list of functions, so each tool becomes a function, and a call of it goes back under the names
 * of the program.
 */

export interface ToolName {
  name: string
  namespace?: string
  /** Absent for a function; a custom tool takes one text. */
  form?: 'text' | 'search'
}

export interface ProgramTools {
  functions: LlmTool[]
  /** The kinds that were left out. */
  leftOut: string[]
  /** What the program calls a function. */
  nameOf: (functionName: string) => ToolName
}

export type GivenTool = NonNullable<ResponsesBody['tools']>[number]

/** The lists of a request, each with its place for error messages. */
export function readTools(lists: readonly { tools: readonly GivenTool[]; param: string }[]): ProgramTools {
  const functions = new Map<string, LlmTool>()
  const names = new Map<string, ToolName>()
  const leftOut = new Set<string>()

  /** The function that was added, if one was. */
  function add(tool: GivenTool, param: string, namespace?: string): LlmTool | undefined {
    if (tool.type === 'namespace' && namespace === undefined) return addNamespace(tool, param)
    if (isOfferedToAll(tool)) {
      leftOut.add(tool.type)
      return undefined
    }
    if (tool.type === 'function') return addFunction(functionTool(checkBody(ResponsesFunction, tool, param)), namespace)
    if (tool.type === 'custom') return addFunction(textFunction(checkBody(CustomTool, tool, param)), namespace, 'text')
    if (isSearch(tool)) return addFunction(functionTool({ ...tool, name: SEARCH }), undefined, 'search')
    throw badField(`${param}.type`, ONLY_FUNCTIONS, 'unsupported_value')
  }

  function addFunction(tool: LlmTool, namespace: string | undefined, form?: ToolName['form']): LlmTool {
    const added = { ...tool, name: functionName(tool.name, namespace) }
    functions.set(added.name, added)
    names.set(added.name, { name: tool.name, ...(namespace !== undefined && { namespace }), ...(form && { form }) })
    return added
  }

  /** What the namespace says about itself is said once, with its first function. */
  function addNamespace(given: GivenTool, param: string): undefined {
    const { name, description, tools } = checkBody(ToolNamespace, given, param)
    const [first] = tools.flatMap((tool, n) => add(tool, `${param}.tools[${n}]`, name) ?? [])
    if (description && first) first.description = [description, first.description].filter(Boolean).join('\n\n')
  }

  for (const { tools, param } of lists) for (const [n, tool] of tools.entries()) add(tool, `${param}[${n}]`)
  return {
    functions: [...functions.values()],
    leftOut: [...leftOut],
    nameOf: (name) => names.get(name) ?? { name },
  }
}

/** Codex offers its search in a form of its own to every model and works without it. */
const isOfferedToAll = (tool: GivenTool): boolean => tool.type === 'web_search' && 'external_web_access' in tool

const SEARCH = 'tool_search'

const isSearch = (tool: GivenTool): tool is z.infer<typeof ToolSearch> => ToolSearch.safeParse(tool).success

export const searchCall = (id: string, given: object): LlmToolCall => ({
  ...{ id, name: SEARCH },
  arguments: JSON.stringify(given),
})

/** What a model is told about the tools that were found; their descriptions are in its list of functions. */
export const foundText = (tools: readonly GivenTool[], param: string): string =>
  JSON.stringify({ found: readTools([{ tools, param }]).functions.map(({ name }) => name) })

/** Models were taught that `functions` is where functions are. */
const ROOT = 'functions'
const MAX_NAME = 64
const HASH_LENGTH = 8

/** The name that a model gets: OpenAI allows 64 letters, digits, «_» and «-». */
export function functionName(name: string, namespace: string | null | undefined): string {
  const whole = namespace == null || namespace === ROOT ? name : `${namespace}__${name}`
  const allowed = whole.replace(/[^\w-]/g, '_')
  if (allowed === whole && whole.length <= MAX_NAME) return whole
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH)
  return `${allowed.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hash}`
}

const TEXT = 'input'

function textFunction({ name, description, format }: CustomTool): LlmTool {
  const grammar = format?.definition
    ? `The text must follow this grammar${format.syntax ? ` (${format.syntax})` : ''}:\n${format.definition}`
    : ''
  return {
    name,
    description: [description, `Put the whole text into «${TEXT}».`, grammar].filter(Boolean).join('\n\n'),
    parameters: {
      type: 'object',
      properties: { [TEXT]: { type: 'string' } },
      required: [TEXT],
      additionalProperties: false,
    },
  }
}

export const textCall = (id: string, name: string, text: string): LlmToolCall => ({
  ...{ id, name },
  arguments: JSON.stringify({ [TEXT]: text }),
})

/** The text that a model put into the arguments; models without strict functions may have named it otherwise. */
export function textIn(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'string') return value
    if (typeof value !== 'object' || value === null) return json
    const text = TEXT in value ? value[TEXT] : Object.values(value)[0]
    return typeof text === 'string' ? text : json
  } catch {
    return json
  }
}
