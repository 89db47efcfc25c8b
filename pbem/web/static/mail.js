// Makes the frame of a mail as tall as the mail; without this, long mails scroll within their frame.
const frame = document.querySelector("iframe.mail");
const fit = () => {
  frame.style.height = "auto";
  frame.style.height = `${frame.contentDocument.documentElement.scrollHeight + 2}px`;
};
frame.addEventListener("load", fit);
addEventListener("resize", fit);
if (frame.contentDocument?.readyState === "complete") fit();
