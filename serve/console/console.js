"use strict";
// The console's one script. Every page works without it; with it, answers stream in, pages open in place,
// uploads show their progress.

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));

function make(tag, attributes = {}, text = "") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

// Theme: the system's, unless somebody chose.
const chosen = localStorage.getItem("theme");
if (chosen) document.documentElement.dataset.theme = chosen;
$("#theme").addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
});

async function problem(response) {
  try {
    const body = await response.json();
    return `${body.detail} ${body.remedy || ""}`.trim();
  } catch {
    return `The service answered ${response.status}.`;
  }
}

// Asking: events of the answer as it is made.
const form = $("#ask");
let running = null;

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += value;
    for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
      const block = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      let name = "message";
      const data = [];
      for (const line of block.split("\n")) {
        if (line.startsWith("event: ")) name = line.slice(7);
        else if (line.startsWith("data: ")) data.push(line.slice(6));
      }
      if (data.length) yield { name, data: data.join("\n") };
    }
  }
}

function showProblem(text) {
  const card = make("div", { class: "card problem", role: "alert" });
  card.append(make("h2", {}, "This did not work"), make("p", {}, text));
  $("#result").replaceChildren(card);
}

async function ask(event) {
  event.preventDefault();
  if (running) running.abort();
  running = new AbortController();
  const progress = $("#progress"), tokens = $("#tokens"), button = $("button[type=submit]", form);
  const busy = make("span", { class: "chip busy" }, "working");
  progress.replaceChildren(busy);
  progress.hidden = false;
  tokens.textContent = "";
  tokens.hidden = true;
  $("#result").replaceChildren();
  button.disabled = true;
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "text/event-stream" },
      signal: running.signal,
    });
    if (!response.ok) return showProblem(await problem(response));
    for await (const { name, data } of events(response.body)) {
      if (name === "stage") {
        const stage = JSON.parse(data);
        busy.before(make("span", { class: "chip" }, `${stage.name} ${stage.ms < 10 ? stage.ms.toFixed(1) : Math.round(stage.ms)} ms`));
      } else if (name === "token") {
        tokens.hidden = false;
        tokens.textContent += JSON.parse(data);
      } else if (name === "html") {
        tokens.hidden = true;
        $("#result").innerHTML = data;
        enhance($("#result"));
      } else if (name === "error") {
        const error = JSON.parse(data);
        return showProblem(`${error.detail} ${error.remedy || ""}`);
      }
    }
  } catch (error) {
    if (error.name !== "AbortError") showProblem("The connection to the service was lost. Ask again.");
  } finally {
    busy.remove();
    button.disabled = false;
  }
}

if (form) {
  form.addEventListener("submit", ask);
  $("#question").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

// Tabs: panels that stand below each other become tabs, moved between with the arrow keys.
function tabs(root) {
  const panels = all(":scope > .panel", root);
  if (panels.length < 2) return;
  const list = make("div", { class: "tabs", role: "tablist" });
  const buttons = panels.map((panel, number) => {
    const id = `tab-${Math.random().toString(36).slice(2)}`;
    const button = make("button", { type: "button", role: "tab", id, "aria-controls": `${id}-panel` }, panel.dataset.tab);
    panel.id = `${id}-panel`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", id);
    button.addEventListener("click", () => choose(number));
    list.append(button);
    return button;
  });
  function choose(number, focus = false) {
    buttons.forEach((button, other) => {
      button.setAttribute("aria-selected", String(other === number));
      button.tabIndex = other === number ? 0 : -1;
      panels[other].hidden = other !== number;
    });
    if (focus) buttons[number].focus();
  }
  list.addEventListener("keydown", (event) => {
    const now = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) choose((now + step + buttons.length) % buttons.length, true);
    else if (event.key === "Home") choose(0, true);
    else if (event.key === "End") choose(buttons.length - 1, true);
  });
  panels[0].before(list);
  choose(0);
}

// Cited pages open in a dialog; the same links work as pages of their own.
const viewer = $("#viewer");
async function openPage(link) {
  const url = new URL(link.href);
  url.searchParams.set("part", "true");
  const response = await fetch(url, { headers: { Accept: "text/x-part" } });
  if (!response.ok) {
    location.href = link.href;
    return;
  }
  $("#viewer-body").innerHTML = await response.text();
  if (!viewer.open) viewer.showModal();
  viewer.scrollTop = 0;
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-viewer]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    openPage(link);
  }
  if (event.target.closest("[data-close]") || event.target === viewer) viewer.close();
});

// Right or wrong?
function feedback(bar) {
  const why = $(".why", bar), said = $(".said", bar);
  const send = async (verdict, text) => {
    const response = await fetch(`/traces/${bar.dataset.feedback}/feedback`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ verdict, why: text }),
    });
    said.textContent = response.ok ? "Thank you, noted." : await problem(response);
    why.hidden = true;
  };
  $("[name=right]", bar).addEventListener("click", () => send("right", ""));
  $("[name=wrong]", bar).addEventListener("click", () => {
    why.hidden = false;
    $("input", why).focus();
  });
  bar.addEventListener("submit", (event) => {
    event.preventDefault();
    send("wrong", $("input", why).value);
  });
}

// Replay
function replay(bar) {
  bar.addEventListener("submit", async (event) => {
    event.preventDefault();
    const target = bar.parentElement.querySelector(".replayed");
    target.textContent = "Answering again…";
    const body = new URLSearchParams({ generation_only: event.submitter.value });
    const response = await fetch(bar.action, { method: "POST", body, headers: { Accept: "text/x-part" } });
    if (response.ok) target.innerHTML = await response.text();
    else target.textContent = await problem(response);
  });
}

function enhance(root) {
  all("[data-tabs]", root).forEach(tabs);
  all("[data-feedback]", root).forEach(feedback);
  all("[data-replay]", root).forEach(replay);
  all("[data-copy]", root).forEach((button) =>
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText($(button.dataset.copy).textContent);
      button.textContent = "Copied";
    }),
  );
}
enhance(document);

// Uploads: the bytes first, then the job, both with their progress.
function send(data, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/documents");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => onProgress(event.loaded / event.total));
    request.addEventListener("load", () => resolve({ ok: request.status === 202, body: request.response }));
    request.addEventListener("error", () => reject(new Error("The connection was lost.")));
    request.send(data);
  });
}

async function uploadOne(file, fields, list) {
  const row = make("li");
  const bar = make("progress", { max: "1", value: "0", "aria-label": `Upload of ${file.name}` });
  const state = make("span", { class: "muted state" }, "sending");
  row.append(make("span", {}, file.name), bar, state);
  list.append(row);
  const data = new FormData();
  for (const name of ["doc_type", "period", "groups"]) data.append(name, fields.get(name));
  data.append("file", file);
  try {
    const { ok, body } = await send(data, (share) => { bar.value = share * 0.3; });
    if (!ok) throw new Error(`${body?.detail || "It was refused."} ${body?.remedy || ""}`);
    let job = body;
    while (job.state === "queued" || job.state === "running") {
      state.textContent = job.stage || job.state;
      bar.value = 0.3 + (job.total ? (0.7 * job.done) / job.total : 0.1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      job = await (await fetch(`/jobs/${job.job_id}`)).json();
    }
    bar.value = 1;
    const reason = job.error || Object.values(job.failed).join("; ");
    state.textContent = job.state === "done" ? "done" : `failed: ${reason}`;
    state.className = job.state === "done" ? "good state" : "bad state";
    return job.state === "done";
  } catch (error) {
    state.textContent = error.message;
    state.className = "bad state";
    return false;
  }
}

const upload = $("#upload");
if (upload) {
  upload.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = new FormData(upload), list = $("#uploads"), button = $("button", upload);
    button.disabled = true;
    let done = 0;
    for (const file of $("[type=file]", upload).files) done += await uploadOne(file, fields, list);
    button.disabled = false;
    if (done) {
      const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
      $("#documents").replaceWith($("#documents", fresh));
      upload.querySelector("[type=file]").value = "";
    }
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-delete]");
    if (!button || !confirm(`${button.getAttribute("aria-label")}?`)) return;
    const response = await fetch(`/documents/${button.dataset.delete}`, { method: "DELETE" });
    if (response.ok) button.closest("tr").remove();
    else alert(await problem(response));
  });
}
